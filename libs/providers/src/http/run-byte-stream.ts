import type { ProviderError } from "../spec/provider-error.ts";
import { abortedError, withOneRetry } from "./run-request.ts";

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
