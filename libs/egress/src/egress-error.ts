import { AsyncLocalStorage } from "node:async_hooks";
import { renderFault, type KnownFault } from "@carrel/contracts";

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

/**
 * refused: the address is not public, or a port or redirect is not allowed; unreachable: no
 * response, a broken one or an unknown name; bad-url: not an http(s) address.
 */
export type EgressReason = "refused" | "unreachable" | "too-large" | "timeout" | "bad-url";

/** The only error of the content client; `fault` says why. */
export class EgressError extends Error {
  override readonly name = "EgressError";
  /** Whether the same call may succeed later. */
  readonly isRetryable: boolean;
  constructor(
    readonly reason: EgressReason,
    readonly fault: KnownFault,
    cause?: unknown,
  ) {
    super(renderFault(fault), cause === undefined ? undefined : { cause });
    this.isRetryable = reason === "unreachable" || reason === "timeout";
  }
}
