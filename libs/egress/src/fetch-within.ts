import { AsyncLocalStorage } from "node:async_hooks";

const current = new AsyncLocalStorage<typeof fetch>();
let isRouted = false;

/**
 * Runs work whose calls of the global `fetch` go to the given one: for vendors' clients that take
 * no `fetch` of their
 * own. What runs outside is not touched. Call `routeFetch` before such a client is loaded, as some
 * keep the function.
 */
export function runWithFetch<T>(within: typeof fetch, work: () => Promise<T>): Promise<T> {
  routeFetch();
  return current.run(within, work);
}

/**
 * Puts a switch in front of the global `fetch`, once; it looks at who calls and changes nothing
 * else.
 */
export function routeFetch(): void {
  if (isRouted) return;
  isRouted = true;
  const before = globalThis.fetch;
  globalThis.fetch = (input, init) => (current.getStore() ?? before)(input, init);
}
