const minRounds = 12;
const maxRounds = 150;

/**
 * Times many alternating runs of two functions. They are alike if the fastest runs or the medians
 * are within `share` of each other: other load makes single runs slower, and on a busy machine
 * perhaps all of them, but both functions equally. Stops as soon as they are alike; a real
 * difference persists however many runs there are. `first` and `second` are the fastest, in ms.
 */
export async function fastestOf(
  first: () => Promise<unknown>,
  second: () => Promise<unknown>,
  share = 0.3,
): Promise<{ first: number; second: number; alike: boolean }> {
  const times = { first: [] as number[], second: [] as number[] };
  const areClose = (quantile: number): boolean => {
    const [a, b] = [times.first, times.second].map((all) => at(all, quantile)) as [number, number];
    return Math.abs(a - b) < Math.max(a, b) * share;
  };
  let alike = false;
  for (let round = 1; round <= maxRounds && !alike; round += 1) {
    for (const [name, run] of [
      ["first", first],
      ["second", second],
    ] as const) {
      const started = performance.now();
      await run();
      times[name].push(performance.now() - started);
    }
    alike = round >= minRounds && (areClose(0) || areClose(0.5));
  }
  return { first: at(times.first, 0), second: at(times.second, 0), alike };
}

const at = (values: readonly number[], quantile: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * quantile)]!;
