import { AsyncLocalStorage } from "node:async_hooks";

const current = new AsyncLocalStorage<typeof fetch>();
let isRouted = false;

/**
 * Runs work with its global `fetch` calls routed to the given one, for vendors' clients that take
 * no `fetch` option. Code outside is not affected. Call `routeFetch` before such a client is
 * loaded, because some keep a reference to the function.
 */
export function runWithFetch<T>(within: typeof fetch, work: () => Promise<T>): Promise<T> {
  routeFetch();
  return current.run(within, work);
}

/**
 * Replaces the global `fetch`, once, with one that routes by async context and otherwise behaves
 * the same.
 */
export function routeFetch(): void {
  if (isRouted) return;
  isRouted = true;
  const before = globalThis.fetch;
  globalThis.fetch = (input, init) => (current.getStore() ?? before)(input, init);
}
