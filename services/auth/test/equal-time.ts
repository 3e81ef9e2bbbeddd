const leastRounds = 12;
const mostRounds = 150;

/**
 * The fastest of many runs of two things in turn, in ms; what else the machine does makes single
 * runs slower, never faster.
 * Ends as soon as the two are within `share` of each other: a real difference stays, whatever the
 * number of runs.
 */
export async function fastestOf(
  first: () => Promise<unknown>,
  second: () => Promise<unknown>,
  share = 0.3,
): Promise<{ first: number; second: number; alike: boolean }> {
  const fastest = { first: Infinity, second: Infinity, alike: false };
  for (let round = 1; round <= mostRounds && !fastest.alike; round += 1) {
    for (const [name, run] of [
      ["first", first],
      ["second", second],
    ] as const) {
      const started = performance.now();
      await run();
      fastest[name] = Math.min(fastest[name], performance.now() - started);
    }
    fastest.alike =
      round >= leastRounds &&
      Math.abs(fastest.first - fastest.second) < Math.max(fastest.first, fastest.second) * share;
  }
  return fastest;
}
