import type { NumberedTerms } from "./term-numbers.ts";

/** A chunk while it is being ranked. */
export interface RankCandidate extends NumberedTerms {
  id: string;
  rank: number;
}

/** Maps a term's number to the index of the question word it matches, plus 1; 0 for none. */
export type QuestionWordIndex = Int32Array;
