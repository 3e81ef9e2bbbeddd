export interface LongTask {
  owner: string;
  /** null if others can't end it. */
  end: (() => void) | null;
  isEnding: boolean;
}

/**
 * Makes room for waiting tasks of these owners, if long ones hold more than the extra threads, or
 * another owner has several of them: ends the youngest of the owner with the most. `long` is in order
 * of age.
 */
export function endLongTask(
  long: Iterable<LongTask>,
  extra: number,
  waiting: ReadonlySet<string>,
): void {
  // Those that are ending hold their places until their threads have ended.
  const running = [...long].filter(({ isEnding }) => !isEnding);
  const byOwner = Map.groupBy(running, ({ owner }) => owner);
  const most = Math.max(0, ...[...byOwner.values()].map(({ length }) => length));
  const holdsUp = (owner: string): boolean =>
    running.length > extra || (most > 1 && [...waiting].some((other) => other !== owner));
  const endable = running.filter(
    ({ end, owner }) => end !== null && byOwner.get(owner)!.length === most && holdsUp(owner),
  );
  // Rather the waiting owner's own task than that of somebody who has no more.
  const youngest = endable.findLast(({ owner }) => waiting.has(owner)) ?? endable.at(-1);
  if (!youngest) return;
  youngest.isEnding = true;
  youngest.end!();
}
