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

export interface Resampler {
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
