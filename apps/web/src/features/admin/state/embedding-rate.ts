/** How many passages were embedded at a time, in ms as of `performance.now()`. */
export interface EmbeddedSample {
  at: number;
  done: number;
}

/** Samples older than this say little about now. */
const windowMs = 60_000;
const minMs = 3_000;

/** Adds a sample. Starts over if the count dropped, as it does when documents are re-embedded. */
export const addSample = (samples: readonly EmbeddedSample[], sample: EmbeddedSample) =>
  samples.length > 0 && sample.done < samples.at(-1)!.done
    ? [sample]
    : [...samples.filter(({ at }) => sample.at - at <= windowMs), sample];

/** Passages per second; null while there is too little to go by. */
export function rateOf(samples: readonly EmbeddedSample[]): number | null {
  const [first, last] = [samples[0], samples.at(-1)];
  if (!first || !last || last.at - first.at < minMs || last.done === first.done) return null;
  return ((last.done - first.done) / (last.at - first.at)) * 1000;
}
