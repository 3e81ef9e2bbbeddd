import type { FaultWire, KnownFault } from "@carrel/contracts";
import type { Heading, ParsedPage, ParsedText } from "../parsing/parsed-document.ts";
import type { Recognition } from "../parsing/recognise-text.ts";
import { smallSize } from "./fair-places.ts";

/* Messages to and from the worker threads. Plain data only, because they are cloned. */

/**
 * Sizes in characters. `maximum` is what an embedder accepts for a chunk with its headings; absent
 * if there is no limit.
 */
export interface Chunking {
  size: number;
  overlap: number;
  maximum?: number;
}

/** A chunk without its text: its position, and the terms that full-text search finds it by. */
export interface PreparedChunk {
  start: number;
  end: number;
  page: number | null;
  headingPath: string[];
  /** SHA-256 of its embedded text. */
  contentHash: Buffer;
  /** Analysed terms joined by spaces, because one string is cloned faster than hundreds. */
  terms: string;
}

export interface TextPart {
  start: number;
  text: string;
}

/**
 * A parsed document as it is stored. `chunks` is null if none were requested or the text is too
 * long to be split in one go.
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
  /** What was left out or only assumed. */
  notes: readonly FaultWire[];
  /** How many pictures or pages of the document recognition adds text of later; 0 or absent: none. */
  toRecognise?: number;
  chunks: PreparedChunk[] | null;
}

/**
 * A text that becomes a document. `name` is the sheet's name or the path of a file in an archive
 * (`isMember`); null for a file that is one document.
 */
export interface NamedText {
  name: string | null;
  isMember?: boolean;
  text: PreparedText;
}

export interface ParseTask {
  bytes: Uint8Array;
  filename: string;
  title: string;
  mime: string | null;
  /** The encoding that a person chose; otherwise it is detected. */
  encoding?: string | null;
  /** null if no chunks are needed. */
  chunking: Chunking | null;
  /** If null, text is not recognised and the result says whether recognition is needed. */
  recognition: Recognition | null;
  /** Whether each sheet of a spreadsheet, or file of an archive, becomes a separate text. */
  split: boolean;
}
/**
 * Work required before there is any text, because it is slow or happens elsewhere: `pages` to
 * recognise, or, with "slow-parsing", the same parsing in the queue of slow files.
 */
export interface RequiredProcessing {
  work: "recognition" | "transcription" | "slow-parsing";
  pages: number;
  /** A recording's type. */
  mime?: string | null;
}
export type ParseResult =
  | { texts: NamedText[] }
  | { fault: KnownFault; curable: boolean }
  | RequiredProcessing;

/** A text with what is stored about its file. */
export interface WholeText extends ParsedText {
  mime: string;
  docSource: string;
}

/** A text that needs no parsing: the transcript of a recording. */
export interface PrepareTask {
  parsed: WholeText;
  title: string;
  /** null if no chunks are needed. */
  chunking: Chunking | null;
}

/** A window of a document's text; all positions are relative to the whole document. */
export interface SplitTask {
  text: string;
  offset: number;
  title: string;
  headings: Heading[];
  pages: { page: number; start: number; end: number }[];
  chunking: Chunking;
  /** The document's language (`detectDocumentLanguage`). */
  language: string | null;
  /** How the chunks of the text that this one replaces begin (`openingAt`). */
  openings?: ReadonlySet<string>;
}

/**
 * Terms of chunks that were split earlier. `sample` is the beginning of the document's text, used
 * to detect its language.
 */
export interface TermsTask {
  title: string;
  sample: string;
  pieces: { text: string; headingPath: string[] }[];
}

/**
 * Longest text that is split in one go, in characters; longer documents are split window by window.
 */
export const windowLength = 400_000;

export type Task = ParseTask | PrepareTask | SplitTask | TermsTask;

/** Bytes of a file, or characters of a text. */
export const sizeOf = (task: Task): number =>
  "bytes" in task
    ? task.bytes.byteLength
    : "text" in task
      ? task.text.length
      : "parsed" in task
        ? task.parsed.text.length
        : task.pieces.reduce((sum, { text }) => sum + text.length, 0);

export const isSmall = (task: Task): boolean => sizeOf(task) <= smallSize;
