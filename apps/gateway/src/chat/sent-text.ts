import type { StreamFrame } from "@carrel/contracts";

const chunk = '"type":"textResponseChunk"';

/**
 * The text that was sent to a client that can't withdraw any: text that is written again after a
 * rewind isn't sent twice, and text that differs from what it replaces is sent after it.
 */
export class SentText {
  private sent = "";
  /** The text as it stands; null: nothing has been withdrawn. */
  private current: string | null = null;

  /** The text as it stands, without what was withdrawn. */
  get whole(): string {
    return this.current ?? this.sent;
  }

  /** Call for a frame that withdraws the text from a position on. */
  rewind(to: number): void {
    this.current = (this.current ?? this.sent).slice(0, to);
  }

  /** Returns the frame with the text that the client lacks; null if it has all of it. */
  admit(data: string): string | null {
    if (!data.includes(chunk)) return data;
    const frame = JSON.parse(data) as Extract<StreamFrame, { type: "textResponseChunk" }>;
    if (this.current === null) {
      this.sent += frame.textResponse;
      return data;
    }
    this.current += frame.textResponse;
    const known = commonLength(this.sent, this.current);
    if (known === this.current.length) return frame.close ? withText(frame, "") : null;
    const missing = separate(this.sent.slice(known), this.current.slice(known));
    this.sent = this.current;
    this.current = null;
    return withText(frame, missing);
  }
}

const withText = (frame: StreamFrame, textResponse: string): string =>
  JSON.stringify({ ...frame, textResponse });

/** Puts a paragraph break between withdrawn text that was sent and what follows it. */
const separate = (withdrawn: string, text: string): string =>
  withdrawn === "" || withdrawn.endsWith("\n") || text.startsWith("\n") ? text : `\n\n${text}`;

function commonLength(one: string, other: string): number {
  let length = 0;
  while (length < one.length && length < other.length && one[length] === other[length]) length += 1;
  return length;
}
