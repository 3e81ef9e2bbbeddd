/**
 * Whether tests try all of their samples, as under `npm run test:thorough`, or only enough of them
 * to notice what is likely to break.
 */
export const isThorough = process.env.CARREL_TEST_THOROUGH === "1";

/** All samples in a thorough run, otherwise every nth, from a place that may differ by test. */
export const sample = <T>(samples: readonly T[], nth: number, from = 0): T[] =>
  samples.filter((_, index) => isThorough || index % nth === from % nth);
