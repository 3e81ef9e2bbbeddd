import { clipText } from "@carrel/contracts";

/** Bytes of a UTF-16 unit in JSON, at most: of a control character. */
const bytesPerUnit = 6;

/** Clips texts that share a reply, so that all of them fit into it as JSON. */
export class ReplyRoom {
  constructor(private bytes: number) {}

  clip(text: string, longest = text.length): string {
    const whole = clipText(text, longest);
    const fits = sizeOf(whole) <= this.bytes;
    const clipped = fits ? whole : clipText(whole, Math.floor(this.bytes / bytesPerUnit));
    this.bytes -= sizeOf(clipped);
    return clipped;
  }
}

/** Without its quotes. */
const sizeOf = (text: string): number => Buffer.byteLength(JSON.stringify(text)) - 2;
