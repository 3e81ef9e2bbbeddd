import { queryClient } from "../../../lib/query-client.ts";
import { documentKeys } from "../../../lib/query-keys.ts";
import { libraryKeys } from "../api/library.ts";

/** Thousands of documents may change within a second. */
const minimumIntervalMs = 1000;
const timers = new Map<string, ReturnType<typeof setTimeout>>();
const last = new Map<string, number>();

/**
 * Invalidates a key, throttled: immediately, then once a second, and once more after the last call.
 */
export function refreshSoon(queryKey: readonly string[]): void {
  const name = queryKey.join("\n");
  if (timers.has(name)) return;
  const since = Date.now() - (last.get(name) ?? 0);
  timers.set(
    name,
    setTimeout(
      () => {
        timers.delete(name);
        last.set(name, Date.now());
        void queryClient.invalidateQueries({ queryKey });
      },
      Math.max(20, minimumIntervalMs - since),
    ),
  );
}

/** Refreshes every list that may show changed documents. */
export function refreshDocumentLists(): void {
  for (const key of [documentKeys.all, documentKeys.counts, libraryKeys.all, libraryKeys.folders])
    refreshSoon(key);
}
