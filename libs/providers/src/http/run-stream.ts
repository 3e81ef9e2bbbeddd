import { Readable, pipeline, type Transform } from "node:stream";
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createZstdDecompress,
} from "node:zlib";
import type { ProviderReply } from "@carrel/egress";
import { ReasoningSplitter } from "../reasoning/split-reasoning.ts";
import { ProviderError } from "../spec/provider-error.ts";
import type { StreamPart } from "../spec/stream-part.ts";
import { describeFault, quoteHarmlessly, type CalledVendor } from "./describe-fault.ts";
import { describeTransportFault } from "./describe-transport-fault.ts";
import { isWebPage, readFault, webPageError } from "./read-fault.ts";
import { abortedError, sharedPool, withOneRetry, type CallLimits } from "./run-request.ts";
import type { StreamSplitter } from "./split-stream.ts";

type TextType = "text-delta" | "reasoning-delta";

/**
 * Parts that a reader has found in the vendor's events. Filled without generators in between: an
 * answer has hundreds of events, and each step per event counts.
 */
export class PartQueue {
  /** How many parts and pieces of text have been added. */
  added = 0;
  private parts: StreamPart[] = [];
  private readonly splitter = new ReasoningSplitter({
    text: (piece) => this.append("text-delta", piece),
    reasoning: (piece) => this.append("reasoning-delta", piece),
    textWasReasoning: () => this.parts.push({ type: "text-was-reasoning" }),
  });

  /**
   * @param joins whether successive pieces of text become one part: each part costs its receiver
   * about as much as reading it from the vendor's bytes
   */
  constructor(private readonly joins: boolean) {}

  add(part: StreamPart): void {
    if (part.type === "finish" || part.type === "tool-call-start") this.splitter.flush();
    this.added++;
    this.parts.push(part);
  }

  /**
   * Adds a piece of text, unless it is empty or missing. Reasoning that the model marked in its
   * text becomes reasoning.
   */
  addText(type: TextType, text: string | null | undefined): void {
    if (!text) return;
    this.added++;
    if (type === "text-delta") this.splitter.addText(text);
    else this.splitter.addReasoning(text);
  }

  /** Adds text that was held back in case it was the beginning of a mark. */
  flush(): void {
    this.splitter.flush();
  }

  get isEmpty(): boolean {
    return this.parts.length === 0;
  }

  take(): StreamPart[] {
    const taken = this.parts;
    this.parts = [];
    return taken;
  }

  private append(type: TextType, text: string): void {
    if (text === "") return;
    const last = this.joins ? this.parts.at(-1) : undefined;
    if (last?.type === type) last.text += text;
    else this.parts.push({ type, text });
  }
}

const { Z_SYNC_FLUSH, BROTLI_OPERATION_FLUSH, ZSTD_e_flush } = constants;
/** Decompressors hand over what they have with each chunk, and accept replies that were cut off. */
const zlib = { flush: Z_SYNC_FLUSH, finishFlush: Z_SYNC_FLUSH };
const decompressors: Partial<Record<string, () => Transform>> = {
  gzip: () => createGunzip(zlib),
  "x-gzip": () => createGunzip(zlib),
  deflate: () => createInflate(zlib),
  br: () =>
    createBrotliDecompress({ flush: BROTLI_OPERATION_FLUSH, finishFlush: BROTLI_OPERATION_FLUSH }),
  zstd: () => createZstdDecompress({ flush: ZSTD_e_flush, finishFlush: ZSTD_e_flush }),
};
/** Error replies are short. */
const longestText = 1024 * 1024;

/** The bytes of a reply. We ask for none of these encodings, but some proxies compress anyway. */
function decodeReply(reply: ProviderReply): AsyncIterable<Uint8Array> {
  const encoding = reply.header("content-encoding")?.trim().toLowerCase() ?? "";
  const decompressor = decompressors[encoding]?.();
  if (decompressor === undefined) return reply;
  // Errors reach the reader of the result.
  return pipeline(Readable.from(reply), decompressor, () => undefined);
}

/** The text of a reply, or the beginning of a long one. */
async function readText(reply: ProviderReply): Promise<string> {
  const read: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of decodeReply(reply)) {
    read.push(chunk);
    if ((length += chunk.length) > longestText) break;
  }
  return Buffer.concat(read).toString();
}

/** Converts a vendor's events to our parts, with exactly one `finish` at the end. */
export interface PartReader<Event> {
  read(event: Event, parts: PartQueue): void;
  /**
   * Adds the parts that follow the last event; by default none.
   *
   * @param isMarked whether the server marked the end, rather than only closed the connection
   */
  end?(parts: PartQueue, isMarked: boolean): void;
  /** Whether the model has finished, though counts and the end mark may follow. */
  readonly isComplete?: boolean;
}

export interface StreamRun<Event> {
  vendor: CalledVendor;
  signal: AbortSignal;
  /** See `LanguageModelCall`. */
  paceMs: number | undefined;
  url: string;
  limits: CallLimits;
  /** A function for vendors that require a signature of the body. */
  headers: Record<string, string> | ((body: string) => Promise<Record<string, string>>);
  /** Builds the body, sent as JSON. */
  request: () => object;
  splitter: StreamSplitter;
  reader: PartReader<Event>;
  /** Describes a reply with an error status. */
  refuse(reply: ProviderReply, text: string): ProviderError;
  /** How long to wait for the end once the model has finished. */
  endWithinMs?: number | undefined;
}

/** What the OpenAI protocol sends after the last event. */
const endMark = /^"?\[DONE\]"?$/i;

/** For servers that neither mark the end nor close the connection; counts arrive soon after. */
const defaultEndWithinMs = 5_000;

/**
 * Streams one answer, from the vendor's bytes to parts in one pass. Retries only before it has
 * begun, ends the vendor's request when the reader stops, and throws if the answer is incomplete,
 * even if the connection closed cleanly.
 */
export async function* runStream<Event extends object>(
  run: StreamRun<Event>,
): AsyncIterable<StreamPart> {
  const { signal, splitter, vendor, endWithinMs = defaultEndWithinMs } = run;
  const parts = new PartQueue(run.paceMs !== undefined);
  const describe = (fault: unknown, started: boolean): ProviderError =>
    describeTransportFault(vendor, fault, started);
  const reply = await withOneRetry(signal, () => open(run), describe);
  try {
    for await (const bytes of untilComplete(run, decodeReply(reply))) {
      const events = splitter.push(bytes);
      for (const part of readParts(run, events, parts)) {
        if (signal.aborted) throw abortedError(signal.reason);
        // Nothing of interest follows; keep the connection for the next call.
        if (part.type === "finish") reply.release();
        yield part;
        if (part.type === "finish") return;
        if (run.paceMs !== undefined) reply.pace(run.paceMs);
      }
      if (run.reader.isComplete === true) reply.endWithin(endWithinMs, events.length > 0);
      else reply.goOn();
    }
    for (const part of readParts(run, splitter.end(), parts, true)) {
      yield part;
      if (part.type === "finish") return;
    }
    if (splitter.stray) throw describeStray(vendor, splitter.stray);
    throw new Error("the answer ended without its end mark");
  } catch (fault) {
    throw signal.aborted ? abortedError(fault) : describe(fault, true);
  }
}

/** Ignores a connection error after the model has finished: nothing is missing. */
async function* untilComplete<Event extends object>(
  { reader, signal }: StreamRun<Event>,
  reply: AsyncIterable<Uint8Array>,
): AsyncIterable<Uint8Array> {
  try {
    yield* reply;
  } catch (fault) {
    if (reader.isComplete !== true || signal.aborted) throw fault;
  }
}

/** Describes a reply with status 200 that is neither events nor JSON. */
const describeStray = (vendor: CalledVendor, text: string): ProviderError =>
  /^\s*</.test(text) ? webPageError(vendor.origin) : describeFault(vendor, { message: text });

/** The parts of these events; those before an error are yielded first. */
export function* readParts<Event extends object>(
  run: Pick<StreamRun<Event>, "vendor" | "reader">,
  events: readonly string[],
  parts: PartQueue,
  isOver = false,
): Iterable<StreamPart> {
  let failure: { fault: unknown } | null = null;
  try {
    for (const data of events) {
      // Nearly all start like this, and each step per event counts.
      if (data.startsWith("{")) readEvent(run, JSON.parse(data), parts);
      else if (endMark.test(data)) run.reader.end?.(parts, true);
      else for (const event of parseEvents(run.vendor, data)) readEvent(run, event, parts);
    }
    if (isOver) run.reader.end?.(parts, false);
  } catch (fault) {
    failure = { fault };
  }
  if (isOver || failure !== null) parts.flush();
  yield* parts.take();
  if (failure === null) return;
  // Without an error status, only the words say what is wrong.
  throw failure.fault instanceof ProviderError ? quoteHarmlessly(failure.fault) : failure.fault;
}

/** Parses one event, or the list of events in a JSON array sent instead of a stream. */
function parseEvents(vendor: CalledVendor, data: string): readonly unknown[] {
  // A message rather than JSON that was cut off.
  if (!/^[["\d-]|^(?:null|true|false)$/.test(data)) throw describeFault(vendor, { message: data });
  const event: unknown = JSON.parse(data);
  return Array.isArray(event) ? event : [event];
}

/** Some servers send an empty error with each event. */
const isGiven = (error: unknown): boolean =>
  typeof error === "object" && error !== null ? Object.keys(error).length > 0 : Boolean(error);

function readEvent<Event extends object>(
  { vendor, reader }: Pick<StreamRun<Event>, "vendor" | "reader">,
  event: unknown,
  parts: PartQueue,
): void {
  if (typeof event !== "object" || event === null) return;
  if ("error" in event && isGiven(event.error)) throw describeFault(vendor, readFault(event) ?? {});
  reader.read(event as Event, parts);
}

async function open<Event extends object>(run: StreamRun<Event>): Promise<ProviderReply> {
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
    // Gateways may label anything as a page; the text shows what it is.
    if (run.splitter.stray !== undefined || !isWebPage(reply.header("content-type"))) return reply;
    reply.release();
    throw webPageError(url.origin);
  }
  throw run.refuse(reply, await readText(reply));
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
