import type { Heading, ParsedPage } from "../parsing/parsed-document.ts";
import type { Recognition } from "../parsing/recognise-text.ts";

/* What goes to the worker threads and comes back. Plain data only: it is cloned on the way. */

/**
 * In characters; `maximum` is what an embedder takes of a chunk with its headings, absent where
 * none limits it.
 */
export interface Chunking {
  size: number;
  overlap: number;
  maximum?: number;
}

/** A chunk without its text: where it stands, and the terms by which it is found. */
export interface PreparedChunk {
  start: number;
  end: number;
  page: number | null;
  headingPath: string[];
  /** SHA-256 of what is embedded of it. */
  contentHash: Buffer;
  /** Analysed terms joined by blanks: one string is cloned faster than hundreds. */
  terms: string;
}

export interface TextPart {
  start: number;
  text: string;
}

/**
 * A parsed document in the form in which it is stored. `chunks` is null where none were wanted, or
 * it is too long to be split in the same go.
 */
export interface PreparedText {
  mime: string;
  docSource: string;
  parts: TextPart[];
  textLength: number;
  headings: Heading[];
  pages: ParsedPage[];
  wordCount: number;
  tokenCount: number;
  chunks: PreparedChunk[] | null;
}

/**
 * A text that becomes a document; `name` is that of a sheet, null for a file that is one document.
 */
export interface NamedText {
  name: string | null;
  text: PreparedText;
}

export interface ParseTask {
  bytes: Uint8Array;
  filename: string;
  title: string;
  mime: string | null;
  /** null: chunks are not wanted. */
  chunking: Chunking | null;
  /** Pictures of text are recognised now; null: the result says that it is needed. */
  recognition: Recognition | null;
  /** Each sheet of a spreadsheet is a text of its own. */
  split: boolean;
}
/**
 * Work that is due before there is a text: it takes long, or happens elsewhere. `pages` to
 * recognise.
 */
export interface LaterWork {
  work: "recognition" | "transcription";
  pages: number;
}
export type ParseResult = { texts: NamedText[] } | { reason: string; curable: boolean } | LaterWork;

/** A window of a document's text; all positions are of the whole document. */
export interface SplitTask {
  text: string;
  offset: number;
  title: string;
  headings: Heading[];
  pages: { page: number; start: number; end: number }[];
  chunking: Chunking;
  /**
   * Of the whole document, as the first window's result told it; absent: tell it from this window.
   */
  language?: string | null;
}
export interface SplitResult {
  chunks: PreparedChunk[];
  language: string | null;
}

/**
 * Terms of chunks that were split before; `sample` is the beginning of the document's text, which
 * tells its language.
 */
export interface TermsTask {
  title: string;
  sample: string;
  pieces: { text: string; headingPath: string[] }[];
}

/** Longest text that is split in one go; longer documents are split window by window. */
export const windowLength = 400_000;
