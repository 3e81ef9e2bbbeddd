import { queryClient } from "../../../lib/query-client.ts";
import { documentKeys } from "../../../lib/query-keys.ts";
import { libraryKeys } from "../api/library.ts";

/** Delay after a change that follows a pause, in ms: several may belong to one action. */
const leadingMs = 20;
/**
 * Thousands of documents may change within a minute, so a list is refetched when changes pause,
 * within these limits since the last time, in ms.
 */
const pauseMs = 300;
const interval = { shortest: 1_000, longest: 3_000 };

interface Pending {
  queryKey: readonly unknown[];
  calledAt: number;
}
const pending = new Map<string, Pending>();
const refreshedAt = new Map<string, number>();
let timer: ReturnType<typeof setTimeout> | null = null;

/**
 * Invalidates a key, throttled: at once after a pause, and once more after the last call. A running
 * request is never aborted; its reply may be older than the change, so another request follows.
 */
export function refreshSoon(queryKey: readonly unknown[]): void {
  pending.set(JSON.stringify(queryKey), { queryKey, calledAt: Date.now() });
  schedule();
}

/** Refreshes every list that may show changed documents. */
export function refreshDocumentLists(): void {
  for (const key of [documentKeys.all, documentKeys.counts, libraryKeys.all, libraryKeys.folders])
    refreshSoon(key);
}

function dueAt(name: string, { calledAt }: Pending): number {
  const last = refreshedAt.get(name) ?? 0;
  return calledAt - last > interval.longest
    ? calledAt + leadingMs
    : Math.max(last + interval.shortest, Math.min(calledAt + pauseMs, last + interval.longest));
}

function schedule(): void {
  if (timer !== null) clearTimeout(timer);
  timer = null;
  if (pending.size === 0) return;
  const next = Math.min(...[...pending].map(([name, each]) => dueAt(name, each)));
  timer = setTimeout(refresh, Math.max(0, next - Date.now()));
}

function refresh(): void {
  const now = Date.now();
  const due: Pending["queryKey"][] = [];
  for (const [name, each] of pending) {
    if (dueAt(name, each) > now) continue;
    refreshedAt.set(name, now);
    // Checked again after the shortest interval.
    if (queryClient.isFetching({ queryKey: each.queryKey }) > 0)
      pending.set(name, { ...each, calledAt: now });
    else {
      pending.delete(name);
      due.push(each.queryKey);
    }
  }
  for (const queryKey of due)
    if (!due.some((other) => isWithin(queryKey, other)))
      void queryClient.invalidateQueries({ queryKey });
  schedule();
}

/** Whether the other key's queries include this one's. */
const isWithin = (key: readonly unknown[], other: readonly unknown[]): boolean =>
  other.length < key.length && other.every((part, n) => part === key[n]);
