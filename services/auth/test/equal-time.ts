const minRounds = 12;
const maxRounds = 150;

/**
 * Fastest of many alternating runs of two functions, in ms, because other load only makes single
 * runs slower. Stops as soon as the two are within `share` of each other; a real difference
 * persists however many runs there are.
 */
export async function fastestOf(
  first: () => Promise<unknown>,
  second: () => Promise<unknown>,
  share = 0.3,
): Promise<{ first: number; second: number; alike: boolean }> {
  const fastest = { first: Infinity, second: Infinity, alike: false };
  for (let round = 1; round <= maxRounds && !fastest.alike; round += 1) {
    for (const [name, run] of [
      ["first", first],
      ["second", second],
    ] as const) {
      const started = performance.now();
      await run();
      fastest[name] = Math.min(fastest[name], performance.now() - started);
    }
    fastest.alike =
      round >= minRounds &&
      Math.abs(fastest.first - fastest.second) < Math.max(fastest.first, fastest.second) * share;
  }
  return fastest;
}
