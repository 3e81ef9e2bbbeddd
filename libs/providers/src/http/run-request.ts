import { createProviderFetch } from "@carrel/egress";
import { ProviderError } from "../spec/provider-error.ts";
import type { StreamPart } from "../spec/stream-part.ts";

/** Timeouts of one vendor call, in ms. */
export interface CallLimits {
  connectMs: number;
  /** Until the response headers. */
  firstByteMs: number;
  /** Between two chunks of the response. */
  idleMs: number;
}

export const hostedLimits: CallLimits = {
  connectMs: 10_000,
  firstByteMs: 120_000,
  idleMs: 120_000,
};
/** A local model may have to be loaded from disk first. */
export const localLimits: CallLimits = { connectMs: 5_000, firstByteMs: 300_000, idleMs: 180_000 };

const pools = new Map<string, typeof fetch>();
const mostPools = 32;

/**
 * One keep-alive pool per origin and limits, shared by models that are created for a single
 * generation.
 */
export function sharedFetch(origin: string, limits: CallLimits): typeof fetch {
  const key = `${origin} ${limits.connectMs} ${limits.firstByteMs} ${limits.idleMs}`;
  const pool =
    pools.get(key) ??
    createProviderFetch({
      origin,
      connectTimeoutMs: limits.connectMs,
      timeoutMs: limits.firstByteMs,
      idleTimeoutMs: limits.idleMs,
    });
  pools.delete(key);
  pools.set(key, pool);
  // A Map keeps insertion order, so the first entry is the least recently used; its sockets close
  // when idle.
  if (pools.size > mostPools) pools.delete(pools.keys().next().value!);
  return pool;
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

/** The longest a user waits for the second attempt. */
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
      return await run();
    } catch (fault) {
      if (signal.aborted) throw abortedError(fault);
      const error = describe(fault, false);
      const wait = error.retryAfterMs ?? 250 + Math.random() * 250;
      if (attempt > 1 || !error.isRetryable || wait > longestPauseMs) throw error;
      await pause(wait, signal);
    }
  }
}

export interface StreamRun<Event> {
  signal: AbortSignal;
  /** Opens the vendor's stream; aborting the signal ends its request. */
  open(signal: AbortSignal): Promise<AsyncIterable<Event>>;
  /** Converts the vendor's events to our parts, with exactly one `finish` at the end. */
  read(events: AsyncIterable<Event>): AsyncIterable<StreamPart>;
  describe(fault: unknown, started: boolean): ProviderError;
}

/**
 * Streams one answer. Retries only before it has begun, ends the vendor's request when the reader
 * stops, and throws if the answer is incomplete, even if the connection closed cleanly.
 */
export async function* runStream<Event>(run: StreamRun<Event>): AsyncIterable<StreamPart> {
  const own = new AbortController();
  const signal = AbortSignal.any([run.signal, own.signal]);
  try {
    const events = await withOneRetry(run.signal, () => run.open(signal), run.describe);
    let finished = false;
    try {
      for await (const part of run.read(events)) {
        if (run.signal.aborted) break;
        finished ||= part.type === "finish";
        yield part;
      }
    } catch (fault) {
      if (run.signal.aborted) throw abortedError(fault);
      throw run.describe(fault, true);
    }
    if (run.signal.aborted && !finished) throw abortedError(run.signal.reason);
    if (!finished) throw run.describe(new Error("the answer ended without its end mark"), true);
  } finally {
    own.abort();
  }
}
