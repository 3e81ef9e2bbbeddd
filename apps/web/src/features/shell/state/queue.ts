import { useState } from "react";

/**
 * "Processing 1 of 3 documents": the batch is everything queued since the queue was last empty.
 * `pending` is the number waiting now.
 */
export function nextBatch(previous: number, pending: number): number {
  return pending === 0 ? 0 : Math.max(previous, pending);
}

export function useQueue(
  pending: number,
): { current: number; total: number; share: number } | null {
  const [total, setTotal] = useState(() => nextBatch(0, pending));
  const next = nextBatch(total, pending);
  if (next !== total) setTotal(next); // re-renders before anything is painted
  if (pending === 0) return null;
  const done = total - pending;
  return { current: done + 1, total, share: done / total };
}
