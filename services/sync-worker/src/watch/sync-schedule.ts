/** Part of an interval over which syncs are spread, so that what was watched together isn't due together. */
const spread = 0.1;
/** Wait after a first failure, in seconds; four times as long after each further one. */
const firstBackoff = 3_600;

/** Seconds until the next regular sync. */
export const nextSync = (interval: number, random = Math.random()): number =>
  interval * (1 - spread * random);

/** Seconds until a failed sync is repeated; never longer than the interval. */
export const nextTry = (interval: number, failures: number, random = Math.random()): number =>
  nextSync(Math.min(interval, firstBackoff * 4 ** (failures - 1)), random);
