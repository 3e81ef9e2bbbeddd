import type { RankedChunk } from "./fuse.ts";

/** Candidates that are ordered once more. */
export const coverageDepth = 50;
/** What holding much of the question adds to the fused rank. */
const scoreWeight = 0.4;

/**
 * The built-in reranker: a chunk that holds much of the question close together, said in these or
 * kindred words, or is near to
 * it in meaning, rises; one that is on the matter as a whole falls. Better where one passage
 * answers, a little worse where
 * many texts on one matter are wanted (docs/decisions/text-search.md). 0 to 1 for each of `chunks`.
 */
export const scoreByCoverage = (chunks: readonly Pick<RankedChunk, "rank" | "score">[]): number[] =>
  chunks.map(({ rank, score }) => (rank + scoreWeight * score) / (1 + scoreWeight));
