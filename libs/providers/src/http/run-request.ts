import { AsyncLocalStorage } from "node:async_hooks";
import { createProviderPool, type ProviderPool } from "@carrel/egress";
import { metrics, withSpan } from "@carrel/observability";
import { ProviderError, type ProviderErrorKind } from "../spec/provider-error.ts";
import { isWebPage, webPageError } from "./read-fault.ts";

export type ProviderCallKind = "answer" | "embedding" | "speech" | "transcription" | "image";

/** The provider call that runs in this async context; HTTP requests are attributed to it. */
export const providerCall = new AsyncLocalStorage<{ provider: string; kind: ProviderCallKind }>();

const retries = metrics.counter(
  "carrel_provider_retries_total",
  "Requests to model providers that were repeated, by the reason",
  ["provider", "kind", "reason"],
);

/** Requests outside a call list models or test a connection. */
function countRetry(reason: ProviderErrorKind): void {
  const { provider = "unknown", kind = "listing" } = providerCall.getStore() ?? {};
  retries.inc({ provider, kind, reason });
}

/** Timeouts of one vendor call, in ms. */
export interface CallLimits {
  connectMs: number;
  /** Time to the response headers. */
  firstByteMs: number;
  /** Time between two chunks of the response. */
  idleMs: number;
}

export const hostedLimits: CallLimits = {
  connectMs: 10_000,
  firstByteMs: 120_000,
  idleMs: 120_000,
};
/** A local model may have to be loaded from disk first. */
export const localLimits: CallLimits = { connectMs: 5_000, firstByteMs: 300_000, idleMs: 180_000 };

const pools = new Map<string, ProviderPool>();
const maxPools = 32;

/**
 * One keep-alive pool per origin and limits, shared by models that are created for a single
 * generation.
 */
export function sharedPool(origin: string, limits: CallLimits): ProviderPool {
  const key = `${origin} ${limits.connectMs} ${limits.firstByteMs} ${limits.idleMs}`;
  const pool =
    pools.get(key) ??
    createProviderPool({
      origin,
      connectTimeoutMs: limits.connectMs,
      timeoutMs: limits.firstByteMs,
      idleTimeoutMs: limits.idleMs,
    });
  pools.delete(key);
  pools.set(key, pool);
  // A Map keeps insertion order, so the first entry is the least recently used; its sockets close
  // when idle.
  if (pools.size > maxPools) pools.delete(pools.keys().next().value!);
  return pool;
}

/** For vendors' SDKs. */
export function sharedFetch(origin: string, limits: CallLimits): typeof fetch {
  const { fetch: send } = sharedPool(origin, limits);
  return async (input, init) => {
    const reply = await send(input, init);
    if (!reply.ok || !isWebPage(reply.headers.get("content-type"))) return reply;
    await reply.body?.cancel();
    throw webPageError(origin);
  };
}

export const abortedError = (cause: unknown): ProviderError =>
  new ProviderError({ code: "provider.cancelled" }, { kind: "aborted", cause });

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms);
    signal.addEventListener("abort", done, { once: true });
    function done() {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    }
  });
}

/** The longest that a user waits before the second attempt. */
const longestPauseMs = 3_000;

/**
 * Runs one attempt and, if it fails with a retryable error, a second. Covers only the time before
 * the first byte of the response.
 */
export async function withOneRetry<T>(
  signal: AbortSignal,
  run: () => Promise<T>,
  describe: (fault: unknown, started: boolean) => ProviderError,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    if (signal.aborted) throw abortedError(signal.reason);
    try {
      return await withSpan(
        "provider request",
        { kind: "CLIENT", attributes: { "http.request.resend_count": attempt - 1 } },
        async () => {
          try {
            return await run();
          } catch (fault) {
            // Converted here, so that the span has the error's kind: a vendor's code may be any
            // text.
            throw signal.aborted ? abortedError(fault) : describe(fault, false);
          }
        },
      );
    } catch (fault) {
      const error = fault as ProviderError;
      const wait = error.retryAfterMs ?? 250 + Math.random() * 250;
      if (attempt > 1 || !error.isRetryable || wait > longestPauseMs) throw error;
      await pause(wait, signal);
      countRetry(error.kind);
    }
  }
}

/**
 * Streams the body of one response. Retries only before it has begun and ends the vendor's request
 * when the reader stops.
 */
export async function* runByteStream(run: {
  signal: AbortSignal;
  open(signal: AbortSignal): Promise<Response>;
  describe(fault: unknown, started: boolean): ProviderError;
}): AsyncIterable<Uint8Array> {
  const own = new AbortController();
  const signal = AbortSignal.any([run.signal, own.signal]);
  try {
    const { body } = await withOneRetry(run.signal, () => run.open(signal), run.describe);
    try {
      for await (const bytes of body ?? []) {
        if (run.signal.aborted) break;
        yield bytes;
      }
    } catch (fault) {
      throw run.signal.aborted ? abortedError(fault) : run.describe(fault, true);
    }
    if (run.signal.aborted) throw abortedError(run.signal.reason);
  } finally {
    own.abort();
  }
}
