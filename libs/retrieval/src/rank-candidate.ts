import type { NumberedTerms } from "./term-numbers.ts";

/** A chunk while it is being ranked. */
export interface RankCandidate extends Pick<NumberedTerms, "context" | "body"> {
  id: string;
  rank: number;
  /**
   * Its range of the occurrences: title and headings up to `bodyFrom`, then the text up to `to`.
   */
  from: number;
  bodyFrom: number;
  to: number;
}
