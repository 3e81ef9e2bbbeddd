import type { MessageCipher } from "./message-cipher.ts";
import { StreamGoneError } from "./stream-errors.ts";

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
