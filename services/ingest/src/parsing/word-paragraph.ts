import type { Block } from "./office-block.ts";

/** A paragraph being read. */
export interface WordParagraph {
  text: string;
  style: string | null;
  /** The list that its own properties name; "0" takes it out of its style's list. */
  list: string | null;
  level: number | null;
  outline: number | null;
  /** Whether some of its text isn't bold. */
  hasPlain: boolean;
  /** A deleted mark joins it with the next paragraph. */
  isMarkDeleted: boolean;
  /** Pictures, charts, text boxes: what is anchored in it. */
  after: Block[];
}

export interface WordRun {
  isHidden: boolean | undefined;
  isBold: boolean | undefined;
  style: string | null;
  font: string | null;
}

export const newParagraph = (): WordParagraph => ({
  text: "",
  style: null,
  list: null,
  level: null,
  outline: null,
  hasPlain: false,
  isMarkDeleted: false,
  after: [],
});

export const newRun = (): WordRun => ({
  isHidden: undefined,
  isBold: undefined,
  style: null,
  font: null,
});
