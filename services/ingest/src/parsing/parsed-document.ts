/**
 * A heading of the document: where its own text starts, how deep it is (1 is the highest) and what
 * it says.
 */
export interface Heading {
  start: number;
  level: number;
  title: string;
}

/**
 * One page of a paged format (a slide of a presentation, a picture of a file of pictures). `runs`
 * is flat, six numbers
 * for each run of text: start (from the page's start), length, x, y, width, height; in PDF points
 * (pixels of a picture)
 * with the origin at the page's lower left. A slide has no runs and no size.
 */
export interface ParsedPage {
  page: number;
  start: number;
  end: number;
  width: number;
  height: number;
  runs: Float32Array;
}

/**
 * What a parser gives: the text, and its map from character ranges (UTF-16, end exclusive) to
 * places in the original.
 */
export interface ParsedText {
  text: string;
  headings: Heading[];
  /** Empty for formats without pages. */
  pages: ParsedPage[];
}

/** A part of a file that becomes a document of its own in a library: a sheet of a spreadsheet. */
export interface ParsedPart extends ParsedText {
  name: string;
}

/** Formats with a parser of their own. */
export type Format =
  | "text"
  | "markdown"
  | "html"
  | "csv"
  | "json"
  | "xml"
  | "code"
  | "rtf"
  | "eml"
  | "mbox"
  | "pdf"
  | "docx"
  | "pptx"
  | "xlsx"
  | "xls"
  | "odt"
  | "ods"
  | "odp"
  | "epub"
  | "image"
  | "audio"
  | "video";

/**
 * A document that cannot be read, with the reason shown to the person. Trying the same bytes again
 * gives the same, unless `curable`: then a setting is missing, and the original is kept for another
 * try.
 */
export class UnreadableError extends Error {
  override readonly name = "UnreadableError";
  readonly curable: boolean;

  constructor(message: string, options: ErrorOptions & { curable?: boolean } = {}) {
    super(message, options);
    this.curable = options.curable ?? false;
  }
}

/**
 * Most characters of one document; a novel has one million. More is a bomb, or belongs into several
 * files.
 */
export const longestText = 64_000_000;
export const tooLong = (what: string): UnreadableError =>
  new UnreadableError(
    `${what} holds more than ${longestText / 1_000_000} million characters of text, the most that is read.`,
  );

/**
 * What a file needs before it has text, which takes long or happens elsewhere: recognition of
 * pictures of text, transcription of speech.
 */
export class NeedsLaterWork extends Error {
  override readonly name = "NeedsLaterWork";

  constructor(
    readonly work: "recognition" | "transcription",
    /** Pages to recognise. */ readonly pages: number,
  ) {
    super(`The file needs ${work}.`);
  }
}
