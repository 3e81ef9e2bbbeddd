import type { ProviderReply } from "@carrel/egress";
import type { ProviderError } from "../spec/provider-error.ts";
import type { StreamPart } from "../spec/stream-part.ts";
import { isWebPage, webPageError } from "./web-page.ts";
import { PartQueue } from "./part-queue.ts";
import { abortedError, sharedPool, withOneRetry, type CallLimits } from "./run-request.ts";
import type { StreamSplitter } from "./split-stream.ts";

/** Converts a vendor's events to our parts, with exactly one `finish` at the end. */
export interface PartReader<Event> {
  read(event: Event, parts: PartQueue): void;
  /** Adds the parts that follow the last event; by default none. */
  end?(parts: PartQueue): void;
  /** Whether the model has finished, though counts and the end mark may follow. */
  readonly isComplete?: boolean;
}

export interface StreamRun<Event> {
  signal: AbortSignal;
  /** See `LanguageModelCall`. */
  paceMs: number | undefined;
  url: string;
  limits: CallLimits;
  /** For a vendor whose requests are signed, made of the body. */
  headers: Record<string, string> | ((body: string) => Promise<Record<string, string>>);
  /** Builds the body, sent as JSON. */
  request: () => object;
  splitter: StreamSplitter;
  reader: PartReader<Event>;
  /** Describes a reply with an error status. */
  refuse(reply: ProviderReply, text: string): ProviderError;
  describe(fault: unknown, started: boolean): ProviderError;
  /** How long to wait for the end once the model has finished; by default the limits apply. */
  endWithinMs?: number | undefined;
}

/** What the OpenAI protocol sends after the last event. */
const endMark = "[DONE]";

/**
 * Streams one answer, from the vendor's bytes to parts in one pass. Retries only before it has
 * begun, ends the vendor's request when the reader stops, and throws if the answer is incomplete,
 * even if the connection closed cleanly.
 */
export async function* runStream<Event>(run: StreamRun<Event>): AsyncIterable<StreamPart> {
  const { signal, splitter } = run;
  const parts = new PartQueue(run.paceMs !== undefined);
  const reply = await withOneRetry(signal, () => open(run), run.describe);
  try {
    for await (const bytes of reply) {
      for (const part of readParts(run.reader, splitter.push(bytes), parts)) {
        if (signal.aborted) throw abortedError(signal.reason);
        // Nothing of interest follows; the connection is kept for the next call.
        if (part.type === "finish") reply.release();
        yield part;
        if (part.type === "finish") return;
        if (run.paceMs !== undefined) reply.pace(run.paceMs);
      }
      if (run.endWithinMs !== undefined && run.reader.isComplete === true)
        reply.endWithin(run.endWithinMs);
    }
    for (const part of readParts(run.reader, [...splitter.end(), endMark], parts)) {
      yield part;
      if (part.type === "finish") return;
    }
    throw new Error("the answer ended without its end mark");
  } catch (fault) {
    throw signal.aborted ? abortedError(fault) : run.describe(fault, true);
  }
}

/** The parts of these events; those before an error are yielded first. */
function* readParts<Event>(
  reader: PartReader<Event>,
  events: readonly string[],
  parts: PartQueue,
): Iterable<StreamPart> {
  let failure: { fault: unknown } | null = null;
  try {
    for (const data of events) {
      if (data === endMark) reader.end?.(parts);
      else reader.read(JSON.parse(data) as Event, parts);
    }
  } catch (fault) {
    failure = { fault };
  }
  yield* parts.take();
  if (failure !== null) throw failure.fault;
}

async function open<Event>(run: StreamRun<Event>): Promise<ProviderReply> {
  const url = new URL(run.url);
  const body = JSON.stringify(run.request());
  const headers = typeof run.headers === "function" ? await run.headers(body) : run.headers;
  const reply = await sharedPool(url.origin, run.limits).post({
    url,
    headers: {
      accept: "text/event-stream, application/x-ndjson, application/json",
      "content-type": "application/json",
      "user-agent": "Carrel",
      ...headers,
    },
    body,
    signal: run.signal,
  });
  if (reply.status < 400) {
    if (!isWebPage(reply.header("content-type"))) return reply;
    reply.release();
    throw webPageError(url.origin);
  }
  throw run.refuse(reply, await reply.text());
}

/** An error reply as JSON; null for the text of a proxy. */
export function readErrorBody(text: string): Record<string, unknown> | null {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === "object" && body !== null ? (body as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
