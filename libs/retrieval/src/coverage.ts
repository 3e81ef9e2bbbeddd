import type { RankedChunk } from "./fuse.ts";

/** Number of candidates to rerank. */
export const coverageDepth = 50;
/** Weight of covering much of the question, relative to the fused rank. */
const coverageWeight = 0.4;

/**
 * The built-in reranker. It promotes chunks that cover much of the question close together, in the
 * same or related words, and demotes chunks that are only about its topic. Cosines don't count,
 * because chunks without vectors have none (docs/decisions/search.md). Returns a score from 0 to 1
 * for each chunk.
 */
export const scoreByCoverage = (
  chunks: readonly Pick<RankedChunk, "rank" | "coverage">[],
): number[] =>
  chunks.map(({ rank, coverage }) => (rank + coverageWeight * coverage) / (1 + coverageWeight));
