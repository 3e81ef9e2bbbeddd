import type { MessageCipher } from "./message-cipher.ts";

/** The stream is unknown, expired, or lost with Redis: the caller should answer from PostgreSQL. */
export class StreamGoneError extends Error {
  override readonly name = "StreamGoneError";
  constructor(key: string) {
    super(`The stream ${key} does not exist or has expired`);
  }
}
/** The stream exceeds 4 MB of text: the writer has to stop. */
export class StreamFullError extends Error {
  override readonly name = "StreamFullError";
  constructor(key: string) {
    super(`The stream ${key} has reached its limit of 4 MB`);
  }
}
/** Another writer took over this stream after the lease expired: this one must stop. */
export class StreamTakenError extends Error {
  override readonly name = "StreamTakenError";
  constructor(key: string) {
    super(`Another writer has taken over the stream ${key}`);
  }
}

/**
 * Encrypts the parts of one stream: answers and the passages they cite would otherwise stay in
 * Redis's append-only file long after the stream has expired.
 */
export class SealedParts {
  constructor(
    private readonly cipher: MessageCipher,
    private readonly key: string,
  ) {}

  seal(seq: number, data: string): string {
    return this.cipher.seal("stream", this.headOf(seq), data);
  }

  /** Throws StreamGoneError for a part that this instance didn't write here. */
  open(seq: number, sealed: string): string {
    const data = this.cipher.open("stream", this.headOf(seq), sealed);
    if (data === null) throw new StreamGoneError(this.key);
    return data;
  }

  /** Authenticated with a part, so that parts can't be exchanged. */
  private headOf(seq: number): string {
    return `${this.key}\n${seq}`;
  }
}

/** Live parts buffered for a slow reader; beyond that, it reads from the stream instead. */
const liveLimit = 256;

/** Kind `d` is data, `e` the end of the stream. */
export interface LivePart {
  seq: number;
  kind: string;
  data: string;
}

/** A bounded queue of parts published while the reader was busy; reports when it dropped some. */
export class LiveParts {
  private queue: LivePart[] = [];
  private lost = false;
  private onWake: (() => void) | undefined;

  /** A part that another process published. */
  receive(message: string, sealed: SealedParts): void {
    const first = message.indexOf(":");
    const seq = Number(message.slice(0, first));
    const kind = message[first + 1]!;
    const data = message.slice(first + 3);
    try {
      this.add({ seq, kind, data: kind === "d" ? sealed.open(seq, data) : data });
    } catch (error) {
      if (!(error instanceof StreamGoneError)) throw error;
      // The reader looks into the stream, and fails there if that is no better.
      this.lose();
    }
  }
  add(part: LivePart): void {
    if (this.lost) return;
    if (this.queue.length >= liveLimit) return this.lose();
    this.queue.push(part);
    this.wake();
  }
  lose(): void {
    this.lost = true;
    this.queue = [];
    this.wake();
  }
  clear(): void {
    this.lost = false;
    this.queue = [];
  }
  wake(): void {
    this.onWake?.();
    this.onWake = undefined;
  }
  /**
   * Returns the next part; "silent" if none arrived in time, "lost" if some were dropped, null if
   * woken without a part (by the signal).
   */
  async take(idleMs: number): Promise<LivePart | "silent" | "lost" | null> {
    if (this.lost) return "lost";
    if (this.queue.length > 0) return this.queue.shift()!;
    const silent = await new Promise<boolean>((resolve) => {
      const timer = setTimeout(() => {
        this.onWake = undefined;
        resolve(true);
      }, idleMs);
      this.onWake = () => {
        clearTimeout(timer);
        resolve(false);
      };
    });
    if (this.lost) return "lost";
    return this.queue.shift() ?? (silent ? "silent" : null);
  }
}
