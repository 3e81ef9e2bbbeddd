import type { Range } from "./range.ts";

/** The passage to mark in a document; empty text means none. */
export interface Passage {
  text: string;
  /** Quotes in it, as offsets in its own text; without any, all of it counts as quoted. */
  quotes: Range[];
  /** Its position in the document, from 0 to 1. */
  position: number;
}
