import { AudioFault } from "./decode-audio-fault.ts";
import { decodeFlac } from "./decode-audio-flac.ts";
import type { AudioFormat } from "./decode-audio-format.ts";
import { maxSeconds } from "./decode-audio-limits.ts";
import { decodeMp3 } from "./decode-audio-mp3.ts";
import { decodeOpus } from "./decode-audio-opus.ts";
import type { AudioPiece } from "./decode-audio-piece.ts";
import { prepareResampler, type Resampler } from "./decode-audio-resampler.ts";
import { decodeWav, readWavLayout } from "./decode-audio-wav.ts";

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
