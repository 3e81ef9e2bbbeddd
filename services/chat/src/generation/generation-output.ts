import type {
  AnswerKind,
  GenerationFrame,
  KnownFault,
  OpenReasoningSpan,
  RunStep,
  SourceWire,
} from "@carrel/contracts";
import {
  maximumStreamBytes,
  StreamFullError,
  StreamTakenError,
  type StreamWriter,
} from "@carrel/messaging";
import {
  chunkFrame,
  noticeFrames,
  reasoningFrame,
  rewindFrame,
  sourcesFrame,
  stageFrame,
  stepFrame,
} from "./frames.ts";
import type { PipelineOutput } from "./generation-pipeline.ts";

/** Returns the key of a generation's stream. */
export const streamKey = (generationId: string): string => `gen:${generationId}`;

/** Room reserved within the stream's limit for the closing frames, which carry the sources. */
const closingReserve = 512 * 1024;
/**
 * How long ending an answer waits for an unresponsive Redis; by then, the text is in PostgreSQL.
 */
const closeTimeoutMs = 5_000;

/**
 * Merges small texts into fewer parts: the first is sent at once, later ones are batched for about
 * `delayMs` (default 15), ending together with other streams' batches. Calls to `flush` never
 * overlap, so a slow stream gets larger parts instead of a longer queue.
 */
export class Coalescer {
  private text = "";
  private first = true;
  private timer: NodeJS.Timeout | undefined;
  private writing: Promise<void> = Promise.resolve();
  private failure: unknown = null;

  constructor(
    private readonly flush: (text: string) => Promise<unknown>,
    private readonly delayMs = 15,
  ) {}

  /** Throws the error of an earlier failed flush. */
  push(text: string): void {
    if (this.failure) throw this.failure;
    this.text += text;
    if (this.first) {
      this.first = false;
      this.send();
    } else this.timer ??= setTimeout(() => this.send(), untilBeat(this.delayMs));
  }

  /** Flushes the remaining text and waits until everything is written. */
  async finish(): Promise<void> {
    this.send();
    await this.writing;
    if (this.text !== "") {
      this.send();
      await this.writing;
    }
    if (this.failure) throw this.failure;
  }

  private send(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.writing = this.writing.then(async () => {
      const text = this.text;
      this.text = "";
      if (text === "" || this.failure) return;
      try {
        await this.flush(text);
      } catch (error) {
        this.failure = error;
      }
    });
  }
}

/**
 * Ms until the next multiple of `delayMs` that is at least half of it away: streams with the same
 * delay flush in the same turn of the event loop, so that their parts are sent together.
 */
function untilBeat(delayMs: number): number {
  const left = delayMs - (performance.now() % delayMs);
  return Math.ceil(left < delayMs / 2 ? left + delayMs : left);
}

/**
 * Writes the frames of one generation to its stream. Redis is not the source of truth: when a part
 * can't be written, the run continues without it, and the closing frames leave a gap that sends
 * readers to PostgreSQL.
 */
export class GenerationOutput implements PipelineOutput {
  readonly batchMs: number;
  private readonly text: Coalescer;
  private readonly onTaken: () => void;
  private readonly onLost: (error: unknown) => void;
  private readonly onText: (() => void) | undefined;
  private readonly onWaiting: ((isWaiting: boolean) => void) | undefined;
  /** The step that waits for the person. */
  private waitingStep: number | null = null;
  private isQueued = false;
  /** Bytes written, and bytes of text not yet written. */
  private bytes = 0;
  private pending = 0;
  private hasOutgrown = false;
  private isLost = false;

  /**
   * @param o.onTaken called when another replica continues the stream: this one's lease is gone
   * @param o.onLost called once, when parts can no longer be written
   * @param o.onText called for each piece of text
   * @param o.onWaiting called when a step begins to wait for the person, and when it no longer does
   * @param o.delayMs how long text is batched, after the first part
   */
  constructor(
    readonly generationId: string,
    private readonly writer: StreamWriter,
    o: {
      onTaken: () => void;
      onLost: (error: unknown) => void;
      onText?: () => void;
      onWaiting?: (isWaiting: boolean) => void;
      delayMs: number;
    },
  ) {
    this.batchMs = o.delayMs;
    this.onTaken = o.onTaken;
    this.onLost = o.onLost;
    this.onText = o.onText;
    this.onWaiting = o.onWaiting;
    this.text = new Coalescer((delta) => {
      this.pending = 0;
      return this.write(chunkFrame(this.generationId, delta));
    }, o.delayMs);
  }

  /** Whether the stream has no room for more text. */
  get isFull(): boolean {
    return this.hasOutgrown || this.bytes + this.pending > maximumStreamBytes - closingReserve;
  }

  /** Sends a frame other than text. */
  send(frame: GenerationFrame): void {
    void this.write(frame);
  }

  notify(notice: KnownFault): void {
    for (const frame of noticeFrames(this.generationId, notice)) this.send(frame);
  }

  showQueue(ahead: number): void {
    const isQueued = ahead > 0;
    if (isQueued || this.isQueued)
      this.send(stageFrame(isQueued ? "queued" : "reading", { ahead }));
    // Later steps that don't wait are silent: they may have text already.
    this.isQueued = isQueued;
  }

  startWriting(sources: SourceWire[], kind: AnswerKind | null = null): void {
    if (sources.length > 0) this.send(sourcesFrame(sources, kind));
    this.send(stageFrame("writing"));
  }

  sendSources(sources: SourceWire[]): void {
    this.send(sourcesFrame(sources, null));
  }

  sendStep(step: RunStep): void {
    this.send(stepFrame(step));
    const isWaiting = step.state === "waiting";
    if (isWaiting === (this.waitingStep === step.id)) return;
    this.waitingStep = isWaiting ? step.id : null;
    this.onWaiting?.(isWaiting);
  }

  async rewind(to: number): Promise<void> {
    // Text that waits would follow the frame. A failure has been noted.
    await this.text.finish().catch(() => undefined);
    this.send(rewindFrame(to));
  }

  /** Sends text: the first at once, later ones batched. */
  sendText(delta: string, reasoning: readonly OpenReasoningSpan[] = []): void {
    for (const span of reasoning) this.send(reasoningFrame(span));
    if (delta === "") return;
    this.pending += Buffer.byteLength(delta);
    if (this.isFull) this.hasOutgrown = true;
    else if (!this.isLost) this.text.push(delta);
    this.onText?.();
  }

  /**
   * Writes the remaining text, then these frames, then the end. Never throws and never waits long;
   * returns false if some of it may not have been written.
   */
  async close(frames: readonly GenerationFrame[]): Promise<boolean> {
    const closing = (async () => {
      await this.text.finish();
      // Sent concurrently: parts are numbered when they are issued, so their order is fixed.
      await Promise.all([...frames.map((frame) => this.write(frame)), this.end()]);
    })();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<boolean>((resolve) => {
      timer = setTimeout(() => resolve(false), closeTimeoutMs);
    });
    const isInTime = await Promise.race([closing.then(() => true), late]);
    clearTimeout(timer);
    return isInTime && !this.isLost;
  }

  /** Numbers the part immediately; the promise never rejects. */
  private async write(frame: GenerationFrame): Promise<void> {
    try {
      const data = JSON.stringify(frame);
      this.bytes += Buffer.byteLength(data);
      await this.writer.write(data);
    } catch (error) {
      this.lose(error);
    }
  }

  private async end(): Promise<void> {
    try {
      await this.writer.end();
    } catch (error) {
      this.lose(error);
    }
  }

  private lose(error: unknown): void {
    if (error instanceof StreamTakenError) return this.onTaken();
    if (error instanceof StreamFullError) this.hasOutgrown = true;
    if (this.isLost) return;
    this.isLost = true;
    this.onLost(error);
  }
}
