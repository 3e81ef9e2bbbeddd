import { metrics } from "@carrel/observability";
import type { LocalStreams } from "./local-streams.ts";
import type { Append, StreamAppender } from "./stream-appender.ts";
import { StreamFullError, StreamTakenError, type SealedParts } from "./stream-parts.ts";

export const maximumStreamBytes = 4 * 1024 * 1024;
/** How long a stream that is never ended is kept after its last part. */
const abandonedSeconds = 3_600;
/** How long a stream is kept after its end. */
const endedSeconds = 300;

const parts = metrics.counter("carrel_stream_parts_total", "Parts written to streams");
/**
 * The name includes the format of its parts: older versions, which don't seal them, don't find it.
 */
export const streamKey = (key: string): string => `stream:sealed:${key}`;
export const channelOf = (key: string): string => `${streamKey(key)}:live`;

/** Writes the parts of one stream, numbered from 1. A stream has one writer at a time. */
export class StreamWriter {
  private seq: number;
  private bytes: number;
  private expiryRenewed = 0;
  private ended = false;

  constructor(
    private readonly appender: StreamAppender,
    private readonly local: LocalStreams,
    private readonly sealed: SealedParts,
    readonly key: string,
    last: { seq: number; bytes: number } = { seq: 0, bytes: 0 },
  ) {
    this.seq = last.seq;
    this.bytes = last.bytes;
  }

  /**
   * Announces the stream before its first part, so that an early reader waits instead of failing
   * with StreamGoneError.
   */
  async open(): Promise<void> {
    await this.append(0, "o", "1", abandonedSeconds);
  }

  /**
   * Stores the part and passes it to the readers. Throws StreamFullError, StreamTakenError.
   */
  async write(data: string): Promise<number> {
    if (this.ended) throw new Error(`The stream ${this.key} has ended`);
    this.bytes += Buffer.byteLength(data);
    if (this.bytes > maximumStreamBytes) throw new StreamFullError(this.key);
    const seq = ++this.seq;
    parts.inc();
    await this.append(seq, "d", data, this.dueExpiry() ? abandonedSeconds : 0);
    return seq;
  }

  /** Marks the end: readers stop after the last part. */
  async end(): Promise<void> {
    if (this.ended) return;
    this.ended = true;
    await this.append(this.seq + 1, "e", "1", endedSeconds);
  }

  /** Number of the last part written. */
  get last(): number {
    return this.seq;
  }

  private dueExpiry(): boolean {
    if (Date.now() - this.expiryRenewed < 60_000) return false;
    this.expiryRenewed = Date.now();
    return true;
  }

  private async append(
    seq: number,
    field: Append["field"],
    data: string,
    expirySeconds: number,
  ): Promise<void> {
    const { key } = this;
    this.local.noteWriter(key, seq <= 1);
    const [stream, channel] = [streamKey(key), channelOf(key)];
    const part = {
      stream,
      channel,
      seq,
      field,
      data: field === "d" ? this.sealed.seal(seq, data) : data,
      expirySeconds,
    };
    if (!(await this.appender.append(part))) {
      this.local.forgetWriter(key);
      throw new StreamTakenError(key);
    }
    if (field !== "o") this.local.deliver(key, { seq, kind: field, data });
  }
}
