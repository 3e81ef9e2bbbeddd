import { MPEGDecoder } from "mpg123-decoder";
import { decodeFlac } from "./decode-audio-flac.ts";
import { decodeOpus } from "./decode-audio-opus.ts";
import { decodeWav, readWavLayout, type AudioFormat } from "./decode-audio-wav.ts";
import { AudioFault, maxSeconds, type AudioPiece } from "./decoded-audio.ts";

const speechRate = 16_000;
/**
 * Zero crossings of the sinc on each side: aliases are below -70 dB, more than enough for speech.
 */
const crossings = 24;
/** Positions between two input samples; more would only change anything below -60 dB. */
const maxPhases = 1024;

const divisor = (a: number, b: number): number => (b === 0 ? a : divisor(b, a % b));

/** Blackman-windowed sinc for each phase, normalised so that it doesn't change the level. */
function buildKernels(phases: number, half: number, cutoff: number): Float32Array[] {
  return Array.from({ length: phases }, (_, phase) => {
    const kernel = Float32Array.from({ length: half * 2 }, (_value, tap) => {
      const distance = tap - half + 1 - phase / phases;
      const angle = Math.PI * cutoff * distance;
      const sinc = angle === 0 ? 1 : Math.sin(angle) / angle;
      const place = (Math.PI * distance) / half;
      return sinc * (0.42 + 0.5 * Math.cos(place) + 0.08 * Math.cos(2 * place));
    });
    const level = kernel.reduce((sum, value) => sum + value, 0);
    return kernel.map((value) => value / level);
  });
}

interface Resampler {
  push(samples: Float32Array): Float32Array;
  /** Returns what is left after the last piece. */
  flush(): Float32Array;
}

/**
 * Resamples streams to 16 kHz. Our own, because the maintained libraries either need the whole
 * recording in memory or restart at the edge of each piece, which is audible as a click. Returns a
 * function that starts a stream: preparing for a rate takes up to 0.1 s.
 */
export function prepareResampler(rate: number): () => Resampler {
  if (rate === speechRate)
    return () => ({ push: (samples) => samples, flush: () => new Float32Array() });
  const cutoff = Math.min(1, speechRate / rate) * 0.95;
  const half = Math.ceil(crossings / cutoff);
  const phases = Math.min(maxPhases, speechRate / divisor(rate, speechRate));
  const kernels = buildKernels(phases, half, cutoff);
  return () => createResampler(rate, half, kernels);
}

function createResampler(rate: number, half: number, kernels: Float32Array[]): Resampler {
  const phases = kernels.length;
  let waiting = new Float32Array(half - 1); // silence before the first sample
  let first = 1 - half; // input position of waiting[0]
  let made = 0;

  /** Makes all samples positioned before `end`; the kernel reaches `half` beyond. */
  const make = (end: number): Float32Array => {
    const until = Math.max(made, Math.ceil((end * speechRate) / rate));
    const output = new Float32Array(until - made);
    for (let index = 0; index < output.length; index++, made++) {
      const position = (made * rate) / speechRate;
      let whole = Math.floor(position);
      let phase = Math.round((position - whole) * phases);
      if (phase === phases) [whole, phase] = [whole + 1, 0];
      const kernel = kernels[phase]!;
      const start = whole - half + 1 - first;
      let sum = 0;
      for (let tap = 0; tap < kernel.length; tap++)
        sum += kernel[tap]! * (waiting[start + tap] ?? 0);
      output[index] = sum;
    }
    const used = Math.floor((made * rate) / speechRate) - half + 1 - first;
    if (used > 0) {
      waiting = waiting.slice(used);
      first += used;
    }
    return output;
  };
  return {
    push(samples) {
      const joined = new Float32Array(waiting.length + samples.length);
      joined.set(waiting);
      joined.set(samples, waiting.length);
      waiting = joined;
      return make(first + waiting.length - half - 1);
    },
    flush: () => make(first + waiting.length),
  };
}

/** At most 700 frames, so a slice unpacks to a few megabytes. */
const sliceBytes = 16_384;

async function* decodeMp3(bytes: Uint8Array): AsyncGenerator<AudioPiece> {
  const decoder = new MPEGDecoder();
  await decoder.ready;
  try {
    for (let at = 0; at < bytes.length; at += sliceBytes) {
      const { channelData, sampleRate } = decoder.decode(bytes.subarray(at, at + sliceBytes));
      yield { channels: channelData, rate: sampleRate };
    }
  } finally {
    decoder.free();
  }
}

const maxChannels = 32;
const rates = { least: 1_000, most: 768_000 };
/** Maximum sample rates in one recording; joined files may have several. */
const maxRates = 8;

type Pieces = Iterable<AudioPiece> | AsyncIterable<AudioPiece>;
const decoders: Record<AudioFormat, (bytes: Uint8Array) => Pieces> = {
  mp3: decodeMp3,
  flac: decodeFlac,
  opus: decodeOpus,
  wav: (bytes) => {
    const layout = readWavLayout(bytes);
    if (layout === null) throw new AudioFault("whisper.recording-damaged");
    const { start, end, bits, channels, rate } = layout;
    if (channels === 0 || rate === 0) throw new AudioFault("whisper.recording-damaged");
    if ((end - start) / ((bits / 8) * channels * rate) > maxSeconds)
      throw new AudioFault("whisper.recording-too-long");
    return decodeWav(bytes, layout);
  },
};

function mix(channels: Float32Array[]): Float32Array {
  const mono = new Float32Array(channels[0]!.length);
  for (const samples of channels)
    for (let place = 0; place < mono.length; place++) mono[place]! += samples[place]!;
  for (let place = 0; place < mono.length; place++) {
    const value = mono[place]! / channels.length;
    // Files with floating-point samples may hold anything.
    mono[place] = value >= -1 && value <= 1 ? value : Number.isFinite(value) ? Math.sign(value) : 0;
  }
  return mono;
}

async function* resampled(pieces: Pieces): AsyncGenerator<Float32Array> {
  const starters = new Map<number, () => Resampler>();
  let resampler: Resampler | null = null;
  let current = 0;
  for await (const { channels, rate } of pieces) {
    if (channels.length === 0 || channels[0]!.length === 0) continue;
    if (channels.length > maxChannels || !(rate >= rates.least && rate <= rates.most))
      throw new AudioFault("whisper.recording-damaged");
    if (resampler === null || rate !== current) {
      if (resampler !== null) yield resampler.flush();
      const start = starters.get(rate) ?? prepareResampler(rate);
      starters.set(rate, start);
      if (starters.size > maxRates) throw new AudioFault("whisper.recording-damaged");
      resampler = start();
      current = rate;
    }
    yield resampler.push(mix(channels));
  }
  if (resampler !== null) yield resampler.flush();
}

/** Throws if there is no sound or if it is longer than `maxSeconds`. */
export async function* limited(pieces: AsyncIterable<Float32Array>): AsyncGenerator<Float32Array> {
  let samples = 0;
  for await (const piece of pieces) {
    samples += piece.length;
    if (samples > maxSeconds * 16_000) throw new AudioFault("whisper.recording-too-long");
    if (piece.length > 0) yield piece;
  }
  if (samples === 0) throw new AudioFault("whisper.recording-damaged");
}

/** The recording as mono at 16 kHz, piece by piece. Throws AudioFault. */
export async function* decodeAudio(
  bytes: Uint8Array,
  format: AudioFormat,
): AsyncGenerator<Float32Array> {
  try {
    yield* limited(resampled(decoders[format](bytes)));
  } catch (fault) {
    // The decoders throw anything for files they can't read.
    throw fault instanceof AudioFault
      ? fault
      : new AudioFault("whisper.recording-damaged", { cause: fault });
  }
}
