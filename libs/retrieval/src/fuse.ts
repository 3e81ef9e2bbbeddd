import type { ScoredId } from "@carrel/vector-store";
import type { RankedText } from "./text-rank.ts";

export interface RankedChunk {
  /** Chunk id. */
  id: string;
  /** 0 to 1: the larger of the two below. Compared with the threshold and shown on the wire. */
  score: number;
  /** Cosine, at least 0; null without vectors or when the vector search did not find it. */
  denseScore: number | null;
  /** Score of its words, see `passageScorer`; null if it contains none of the question's words. */
  textScore: number | null;
  /** Share of the question that its words cover, 0 to 1, for reranking. */
  coverage: number;
  /** Sort key, 0 to 1. */
  rank: number;
  /**
   * Position among the text hits and among the vector hits, from 1; null if it isn't one of them.
   */
  textPlace: number | null;
  densePlace: number | null;
}

/** Lower than the usual 60, so that weak vectors cost less (docs/decisions/search.md). */
const rankConstant = 20;

/**
 * Merges both halves by reciprocal rank fusion: 1 / (20 + place), summed over both lists. A chunk
 * `withoutVectors` can't be among the vector hits: it is dropped from them and gets the same place
 * there as among the text hits, so that it neither gains nor loses. Text hits alone keep the
 * proportions of their own ranks. Both lists are best first, and either may be empty. Pure.
 */
export function fuse({
  text,
  dense: found,
  withoutVectors,
}: {
  text: RankedText[];
  dense: ScoredId[] | null;
  withoutVectors?: ReadonlySet<string>;
}): RankedChunk[] {
  const dense =
    found !== null && withoutVectors !== undefined && withoutVectors.size > 0
      ? found.filter(({ id }) => !withoutVectors.has(id))
      : found;
  const byId = new Map<string, RankedChunk>();
  const chunks: RankedChunk[] = [];
  const hasDense = dense !== null && dense.length > 0;
  const bestText = text[0]?.rank ?? 0;
  // Scaled so that the first hit of both lists has rank 1.
  const reciprocal = (place: number): number => (rankConstant + 1) / (rankConstant + place) / 2;
  for (let index = 0; index < text.length; index++) {
    const hit = text[index]!;
    const chunk = {
      id: hit.id,
      score: hit.score,
      textScore: hit.score,
      denseScore: null,
      coverage: hit.coverage,
      rank: hasDense
        ? reciprocal(index + 1) * (withoutVectors?.has(hit.id) ? 2 : 1)
        : bestText > 0
          ? hit.rank / bestText
          : 0,
      textPlace: index + 1,
      densePlace: null,
    };
    chunks.push(chunk);
    if (hasDense) byId.set(hit.id, chunk);
  }
  for (let index = 0; hasDense && index < dense.length; index++) {
    const { id, score } = dense[index]!;
    const cosine = Math.max(0, Math.min(1, score));
    const known = byId.get(id);
    if (known === undefined)
      chunks.push({
        id,
        score: cosine,
        textScore: null,
        denseScore: cosine,
        coverage: 0,
        rank: reciprocal(index + 1),
        textPlace: null,
        densePlace: index + 1,
      });
    else {
      known.denseScore = cosine;
      known.densePlace = index + 1;
      known.score = Math.max(known.score, cosine);
      known.rank += reciprocal(index + 1);
    }
  }
  // Equal ranks keep the text order, then the vector order.
  return chunks.sort((a, b) => b.rank - a.rank);
}

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
