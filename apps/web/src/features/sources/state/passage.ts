import type { Range } from "./range.ts";

/** The passage to mark in a document; without text there is none. */
export interface Passage {
  text: string;
  /** Quotes in it, by its own characters; without any, all of it counts as quoted. */
  quotes: Range[];
  /** Where it is in the document, from 0 to 1. */
  position: number;
}
