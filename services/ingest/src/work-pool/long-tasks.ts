export interface LongTask {
  owner: string;
  /** null if others can't end it. */
  end: (() => void) | null;
  isEnding: boolean;
}

/**
 * Makes room for waiting tasks of these owners, if long ones hold more than the extra threads, or
 * another owner has several of them: ends the youngest of whoever has the most, among owners of a
 * task that can be ended. `long` is in order of age.
 */
export function endLongTask(
  long: Iterable<LongTask>,
  extra: number,
  waiting: ReadonlySet<string>,
): void {
  // Those that are ending hold their places until their threads have ended.
  const running = [...long].filter(({ isEnding }) => !isEnding);
  const byOwner = Map.groupBy(running, ({ owner }) => owner);
  const countOf = ({ owner }: LongTask): number => byOwner.get(owner)!.length;
  const endable = running.filter(({ end }) => end !== null);
  const most = Math.max(0, ...endable.map(countOf));
  const holdsUp = (owner: string): boolean =>
    running.length > extra || (most > 1 && [...waiting].some((other) => other !== owner));
  const ofMost = endable.filter((task) => countOf(task) === most && holdsUp(task.owner));
  // Rather the waiting owner's own task than that of somebody who has no more.
  const youngest = ofMost.findLast(({ owner }) => waiting.has(owner)) ?? ofMost.at(-1);
  if (!youngest) return;
  youngest.isEnding = true;
  youngest.end!();
}
