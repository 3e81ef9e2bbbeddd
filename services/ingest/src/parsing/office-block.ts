import type { ParsedText } from "./parsed-document.ts";
import type { Table } from "./write-table.ts";

/** The cells of a table (`TableGrid`), each with its own pieces. */
export interface BlockTable {
  readonly contents: Block[][][];
  readonly isLayout: boolean;
  toTable(textOf: (blocks: Block[]) => string): Table;
}

/**
 * A piece of an Office document in reading order. Pictures stay places until their text is
 * recognised, which a reader of XML can't wait for.
 */
export type Block =
  | { kind: "heading"; level: number; text: string }
  | { kind: "paragraph"; text: string; isBold?: boolean }
  /** A paragraph of a list, with its bullet or number. */
  | { kind: "item"; text: string }
  | { kind: "picture"; part: string }
  | { kind: "table"; grid: BlockTable }
  | { kind: "slide"; title: string }
  /** A document in the document. */
  | { kind: "parsed"; parsed: ParsedText };

export const paragraph = (text: string): Block => ({ kind: "paragraph", text });
