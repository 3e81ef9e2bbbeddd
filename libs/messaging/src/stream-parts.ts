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

  /** Throws StreamGoneError for a part that this instance didn't write at this position. */
  open(seq: number, sealed: string): string {
    const data = this.cipher.open("stream", this.headOf(seq), sealed);
    if (data === null) throw new StreamGoneError(this.key);
    return data;
  }

  /** Authenticated along with a part, so that parts can't be swapped. */
  private headOf(seq: number): string {
    return `${this.key}\n${seq}`;
  }
}
