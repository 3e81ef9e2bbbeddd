import { createProviderFetch } from "@carrel/egress";
import { ProviderError } from "../spec/provider-error.ts";
import type { StreamPart } from "../spec/stream-part.ts";

/** Limits of one vendor call, ms. */
export interface CallLimits {
  connectMs: number;
  /** Until the answer's headers. */
  firstByteMs: number;
  /** Between two pieces of the answer. */
  idleMs: number;
}

export const hostedLimits: CallLimits = {
  connectMs: 10_000,
  firstByteMs: 120_000,
  idleMs: 120_000,
};
/** A model at home may have to be loaded from disk first. */
export const localLimits: CallLimits = { connectMs: 5_000, firstByteMs: 300_000, idleMs: 180_000 };

const pools = new Map<string, typeof fetch>();
const mostPools = 32;

/**
 * One keep-alive pool for each origin and limits, shared by the models that are made for single
 * generations.
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
  // Map keeps the order of insertion: the first is the one not used for longest; its sockets close
  // by themselves when idle.
  if (pools.size > mostPools) pools.delete(pools.keys().next().value!);
  return pool;
}

const abortedError = (cause: unknown): ProviderError =>
  new ProviderError("The request was cancelled.", { kind: "aborted", cause });

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

/** The longest that a person waits for the second attempt. */
const longestPauseMs = 3_000;

/**
 * One attempt, and one more when the first may be tried again; both before the first byte of the
 * answer.
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
  /** Opens the vendor's stream; its request ends with the signal given here. */
  open(signal: AbortSignal): Promise<AsyncIterable<Event>>;
  /** The vendor's events as our parts; `finish` once, last. */
  read(events: AsyncIterable<Event>): AsyncIterable<StreamPart>;
  describe(fault: unknown, started: boolean): ProviderError;
}

/**
 * One streamed answer: a second attempt only before it began, the vendor's request ended whenever
 * the reader stops, and
 * a throw whenever the answer does not come to its end, also when the connection closed as if all
 * were well.
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
