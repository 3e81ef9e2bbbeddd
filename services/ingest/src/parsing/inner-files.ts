import type { Recognition } from "./recognise-text.ts";
import { ProcessingRequiredError, UnreadableError, type ParsedText } from "./parsed-document.ts";

/**
 * Parses a file that is inside another one. What is inside that again is only named. Without
 * `recognition`, a file that needs it can't be read.
 */
export type ParseInner = (
  file: { bytes: Uint8Array; filename: string; mime: string | null },
  recognition?: Recognition | null,
) => Promise<InnerText>;
type InnerText = ParsedText & { mime: string; docSource: string };

const maxFiles = 500;
const largestFile = 20 * 1024 * 1024;
const largestSum = 100 * 1024 * 1024;
/** Time for all of them, a third of what a file has by default. */
const maxMs = 60_000;
/** Their own text is read; text in their pictures is only noted as unread. */
const withoutPictures: Recognition = { languages: [], dataFolder: null, maxPages: 0 };

/**
 * Reads the files inside one file, up to limits that hardly any mail reaches. A file that can't be read
 * doesn't cost the others; it is counted.
 */
export class InnerFiles {
  private readonly until = performance.now() + maxMs;
  private files = 0;
  private bytes = 0;
  private unreadFiles = 0;

  constructor(private readonly parse: ParseInner | null) {}

  get unread(): number {
    return this.unreadFiles;
  }

  /** Whether a file of this size is read at all. */
  takes(bytes: number): boolean {
    return (
      this.parse !== null &&
      bytes <= largestFile &&
      this.bytes + bytes <= largestSum &&
      this.files < maxFiles &&
      performance.now() < this.until
    );
  }

  /** Null if it can't be read, or has no text without recognition or transcription. */
  async read(bytes: Uint8Array, filename: string, mime: string | null): Promise<InnerText | null> {
    const text = await this.tryReading(bytes, filename, mime);
    if (text === null) this.unreadFiles++;
    return text;
  }

  private async tryReading(
    bytes: Uint8Array,
    filename: string,
    mime: string | null,
  ): Promise<InnerText | null> {
    if (!this.parse || !this.takes(bytes.length)) return null;
    this.files++;
    this.bytes += bytes.length;
    try {
      return await this.parse({ bytes, filename, mime }, withoutPictures);
    } catch (fault) {
      if (fault instanceof UnreadableError || fault instanceof ProcessingRequiredError) return null;
      throw fault;
    }
  }
}
