import { queryClient } from "../../../lib/query-client.ts";

/**
 * Thousands of documents may change within a second; what is on screen is asked for again at most
 * so often (ms).
 */
const atMostEvery = 1000;
const timers = new Map<string, ReturnType<typeof setTimeout>>();
const last = new Map<string, number>();

/**
 * Asks again for all queries that begin with these words: at once the first time, then once a
 * second, and once more after the last call.
 */
export function refreshSoon(...queryKey: string[]): void {
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
      Math.max(20, atMostEvery - since),
    ),
  );
}
