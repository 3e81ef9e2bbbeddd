import type { KnownFault } from "@carrel/contracts";
import { renderFault } from "@carrel/contracts/fault";

/** Limit on a PDF's pages, above even a legal compendium. */
export const maxPages = 20_000;
/**
 * What each page that was read adds to the time limit of parsing, so that long documents are read as
 * long as they get on: reading one of 20,000 pages takes 20 ms, and several times as long beside other
 * work.
 */
export const msPerPage = 100;

/*
 * How far the file that this thread reads has come. A thread reads one file at a time, so the count
 * is the module's instead of an argument of every parser.
 */
let note: () => void = () => undefined;

/** From now on, `onPage` is called for each page that is read. */
export function watchPages(onPage: () => void): void {
  note = onPage;
}

/** Called by parsers of files whose time depends on their pages. */
export const notePage = (): void => note();

/** A heading: the start of its section's text, its level (1 is the highest) and its title. */
export interface Heading {
  start: number;
  level: number;
  title: string;
}

/**
 * One page of a paged format (a slide of a presentation, a page of a TIFF). `runs` is flat, with
 * six numbers per run of text: start (from the page's start), length, x, y, width, height; in PDF
 * points (pixels for pictures) with the origin at the page's lower left. A slide has no runs and no
 * size.
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
 * A parser's result: the text, and the positions of headings and pages in it as character ranges
 * (UTF-16, end exclusive).
 */
export interface ParsedText {
  text: string;
  headings: Heading[];
  /** Empty for formats without pages. */
  pages: ParsedPage[];
  /** What was left out or only assumed (`file-note` codes), shown with the document. */
  notes?: readonly KnownFault[];
  /**
   * How many pictures, or pages with pictures, hold more text for recognition, without which this was
   * read. They are noted as unread.
   */
  toRecognise?: number;
  /** How many of them are whole pages, which a reader of the text would miss. */
  wordlessPages?: number;
}

/**
 * A part of a file that becomes a separate document in a library: a sheet of a spreadsheet, or a file
 * of an archive, which is named by its path there.
 */
export interface ParsedPart extends ParsedText {
  name: string;
  /** Type and source of a file of an archive; absent for sheets. */
  file?: { mime: string; docSource: string };
}

const hiddenMark = " (hidden sheet)";
/** A hidden sheet's name as people and models see it, and its own name. */
export const markHidden = (name: string): string => `${name}${hiddenMark}`;
export const withoutHiddenMark = (name: string): string =>
  name.endsWith(hiddenMark) ? name.slice(0, -hiddenMark.length) : name;

/** Formats that parsers distinguish. */
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
  | "mhtml"
  | "notebook"
  | "vcard"
  | "calendar"
  | "subtitles"
  | "msg"
  | "doc"
  | "ppt"
  | "iwork"
  | "zip"
  | "image"
  | "audio"
  | "video";

/**
 * A document that can't be read, with the reason shown to people. Retrying the same bytes fails the
 * same way unless `curable`: then a setting is missing, and the original is kept for a retry.
 */
export class UnreadableError extends Error {
  override readonly name = "UnreadableError";
  readonly curable: boolean;

  constructor(
    readonly fault: KnownFault,
    options: ErrorOptions & { curable?: boolean } = {},
  ) {
    super(renderFault(fault), options);
    this.curable = options.curable ?? false;
  }
}

/**
 * Limit on the characters of one document; a novel has one million. More is a decompression bomb or
 * should be split into several files.
 */
export const longestText = 64_000_000;
export const tooLong = (what: KnownFault): UnreadableError =>
  new UnreadableError({
    code: "file.too-much-text",
    params: { what, millions: longestText / 1_000_000 },
  });

/**
 * A file needs slow or external work before it has text: recognition of pictures, or transcription
 * of speech.
 */
export class ProcessingRequiredError extends Error {
  override readonly name = "ProcessingRequiredError";

  constructor(
    readonly work: "recognition" | "transcription",
    /** Pages to recognise. */
    readonly pages: number,
    /** A recording's type. */
    readonly mime: string | null = null,
  ) {
    super(`The file needs ${work}.`);
  }
}
