import { extensionOf } from "./detect-format.ts";
import { formatByExtension } from "./formats.ts";
import { pictureMayShowText } from "./may-show-text.ts";
import { ProcessingRequiredError, UnreadableError, type ParsedText } from "./parsed-document.ts";
import type { Recognition } from "./recognise-text.ts";

/**
 * Parses a file that is inside another one. What is inside that again is only named. Without
 * `recognition`, a file that needs it can't be read.
 */
export type ParseInner = (
  file: { bytes: Uint8Array; filename: string; mime: string | null },
  recognition?: Recognition | null,
) => Promise<InnerText>;
type InnerText = ParsedText & { mime: string; docSource: string };
type InnerFile = Parameters<ParseInner>[0];

const maxFiles = 500;
const largestFile = 20 * 1024 * 1024;
const largestSum = 100 * 1024 * 1024;
/** Time for all of them without recognition, a third of what a file has by default. */
const maxMs = 60_000;
/** Settings that read only the existing text of a file with scanned pages. */
const withoutPictures: Recognition = { languages: [], dataFolder: null, maxPages: 0 };

/**
 * Reads the files inside one file, up to limits that hardly any mail reaches. A file that can't be read
 * doesn't cost the others; it is counted. Without `recognition`, so are pages and pictures that it
 * would find text in.
 */
export class InnerFiles {
  private readonly until = performance.now() + maxMs;
  private files = 0;
  private bytes = 0;
  private unreadFiles = 0;
  private pictures = 0;
  private pagesLeft: number;

  constructor(
    private readonly parse: ParseInner | null,
    private readonly recognition: Recognition | null = null,
  ) {
    this.pagesLeft = recognition?.maxPages ?? 0;
  }

  get unread(): number {
    return this.unreadFiles;
  }

  /** Pages and pictures to recognise. */
  get toRecognise(): number {
    return this.pictures;
  }

  /** Whether a file of this size is read at all. */
  takes(bytes: number): boolean {
    return (
      this.parse !== null &&
      bytes <= largestFile &&
      this.bytes + bytes <= largestSum &&
      this.files < maxFiles &&
      (this.recognition !== null || performance.now() < this.until)
    );
  }

  /** Null if it can't be read, or has no text without recognition or transcription. */
  async read(bytes: Uint8Array, filename: string, mime: string | null): Promise<InnerText | null> {
    let text: InnerText | null = null;
    if (this.parse && this.takes(bytes.length)) {
      this.files++;
      this.bytes += bytes.length;
      text = await this.tryReading(this.parse, { bytes, filename, mime });
    }
    if (text === null) this.unreadFiles++;
    return text;
  }

  private async tryReading(parse: ParseInner, file: InnerFile): Promise<InnerText | null> {
    const { text, pages } = await readOwnText(parse, file);
    if (pages === 0) return text;
    if (this.recognition === null) this.pictures += pages;
    if (pages > this.pagesLeft || this.recognition === null) return text;
    this.pagesLeft -= pages;
    return orNull(parse(file, { ...this.recognition, maxPages: pages })).then(
      (recognised) => recognised ?? text,
    );
  }
}

/** The text that a file has without recognition, and the pages and pictures to recognise. */
async function readOwnText(
  parse: ParseInner,
  file: InnerFile,
): Promise<{ text: InnerText | null; pages: number }> {
  try {
    const text = await parse(file);
    return { text, pages: text.toRecognise ?? 0 };
  } catch (fault) {
    if (fault instanceof UnreadableError) return { text: null, pages: 0 };
    if (!(fault instanceof ProcessingRequiredError)) throw fault;
    const text = await orNull(parse(file, withoutPictures));
    const isPhoto =
      text === null && isPicture(file) && !(await pictureMayShowText(Buffer.from(file.bytes)));
    return { text, pages: fault.work === "recognition" && !isPhoto ? fault.pages : 0 };
  }
}

const isPicture = ({ filename }: InnerFile): boolean =>
  formatByExtension.get(extensionOf(filename)) === "image";

const orNull = (text: Promise<InnerText>): Promise<InnerText | null> =>
  text.catch((fault: unknown) => {
    if (fault instanceof UnreadableError || fault instanceof ProcessingRequiredError) return null;
    throw fault;
  });
