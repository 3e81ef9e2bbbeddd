import type { Dispatcher } from "undici";
import { onAlignedTick } from "./aligned-timer.ts";
import type { ConnectionReads, PacedHandler } from "./paced-client.ts";

/** Bytes buffered for a slow reader before the connection is paused. */
const highWaterMark = 1024 * 1024;
/** How long a reply may take to end after its reader is done, before it is cut off. */
const lingerMs = 1_000;
/**
 * From this pace on, the connection is read at intervals: twice per pace, because the end of the
 * reply is noticed by a read too, and is not delayed otherwise.
 */
const pacedReadsFrom = 60;
/** Error replies are short; the rest of a longer one is not read. */
const longestText = 1024 * 1024;

/**
 * The reply to one call: its bytes are handed over as they arrive, without a stream in between.
 * Bytes received before an error are read before it is thrown.
 */
export class ProviderReply implements PacedHandler, AsyncIterable<Buffer> {
  status = 0;
  reads: ConnectionReads | null = null;
  /** Resolves with the response headers; rejects if there are none. */
  readonly started: Promise<this>;
  private headers: Record<string, string | string[] | undefined> = {};
  private readonly start = Promise.withResolvers<this>();
  private controller: Dispatcher.DispatchController | undefined;
  private chunks: Buffer[] = [];
  private buffered = 0;
  private error: Error | null = null;
  private hasEnded = false;
  private isReleased = false;
  private wake: (() => void) | undefined;
  private linger: NodeJS.Timeout | undefined;
  private ending: NodeJS.Timeout | undefined;
  private isOver = false;
  /** How often new bytes wake the reader; 0: at once. */
  private paceMs = 0;
  private isPacing = false;
  private readonly onAbort = (): void => this.cut(asError(this.signal.reason));

  constructor(private readonly signal: AbortSignal) {
    this.started = this.start.promise;
    signal.addEventListener("abort", this.onAbort, { once: true });
  }

  header(name: string): string | null {
    const value = this.headers[name];
    return (Array.isArray(value) ? value[0] : value) ?? null;
  }

  async text(): Promise<string> {
    const read: Buffer[] = [];
    let length = 0;
    for await (const chunk of this) {
      read.push(chunk);
      if ((length += chunk.length) > longestText) break;
    }
    return Buffer.concat(read).toString();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Buffer, void, undefined> {
    try {
      for (;;) {
        while (this.chunks.length > 0) {
          const chunks = this.chunks;
          this.chunks = [];
          this.buffered = 0;
          if (this.controller?.paused === true) this.controller.resume();
          yield chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
        }
        if (this.error !== null) throw this.error;
        if (this.hasEnded || this.isOver) return;
        await new Promise<void>((resolve) => {
          this.wake = resolve;
        });
      }
    } finally {
      this.cut(new Error("the reader stopped"));
    }
  }

  /**
   * From now on, hands over received bytes only every `milliseconds`, together with other paced
   * replies: waking a reader for each token of many answers costs more than reading it.
   */
  pace(milliseconds: number): void {
    if (this.paceMs === milliseconds || this.hasEnded || this.isReleased) return;
    this.paceMs = milliseconds;
    this.reads?.every(milliseconds < pacedReadsFrom ? 0 : milliseconds / 2);
  }

  /**
   * Ends the reply after this time, as if the server had, and closes the connection.
   *
   * @param afresh whether an earlier call no longer counts
   */
  endWithin(milliseconds: number, afresh = false): void {
    if (this.hasEnded) return;
    if (afresh) this.goOn();
    this.ending ??= setTimeout(() => {
      this.isOver = true;
      this.notify();
    }, milliseconds);
  }

  /** Takes `endWithin` back. */
  goOn(): void {
    clearTimeout(this.ending);
    this.ending = undefined;
  }

  /**
   * Ignores the rest. The connection is kept for the next call if the reply ends soon, as it does
   * after its last event.
   */
  release(): void {
    if (this.hasEnded || this.isReleased) return;
    this.isReleased = true;
    this.chunks = [];
    this.reads?.every(0);
    if (this.controller?.paused === true) this.controller.resume();
    this.linger = setTimeout(() => this.abort(new Error("the reply went on")), lingerMs).unref();
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    if (this.error !== null) controller.abort(this.error);
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    if (status < 200) return;
    this.status = status;
    this.headers = headers;
    this.start.resolve(this);
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.isReleased) return;
    this.chunks.push(chunk);
    this.buffered += chunk.length;
    if (this.buffered > highWaterMark) controller.pause();
    if (this.paceMs === 0) return this.notify();
    if (this.isPacing) return;
    this.isPacing = true;
    onAlignedTick(this.paceMs, () => {
      this.isPacing = false;
      this.notify();
    });
  }

  onResponseEnd(): void {
    this.finish();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.error ??= error;
    this.start.reject(error);
    this.finish();
  }

  /** Ends the call, unless it has ended or is about to end. */
  private cut(reason: Error): void {
    if (!this.isReleased) this.abort(reason);
  }

  private abort(reason: Error): void {
    if (this.hasEnded) return;
    this.error ??= reason;
    // While it is still connecting, the request is ended by `onRequestStart`.
    this.start.reject(reason);
    this.controller?.abort(reason);
    this.notify();
  }

  private finish(): void {
    this.hasEnded = true;
    this.reads?.every(0);
    clearTimeout(this.linger);
    clearTimeout(this.ending);
    this.signal.removeEventListener("abort", this.onAbort);
    this.notify();
  }

  private notify(): void {
    this.wake?.();
    this.wake = undefined;
  }
}

/** Also for a DOMException, whatever realm it is from. */
const asError = (reason: unknown): Error =>
  typeof reason === "object" && reason !== null && "message" in reason
    ? (reason as Error)
    : new Error("aborted", { cause: reason });
