import type { RankedText } from "./text-rank.ts";
import type { ScoredId } from "@carrel/vector-store";

export interface RankedChunk {
  /** Chunk id. */
  id: string;
  /** 0 to 1: the larger of the two below. Compared with the threshold and shown on the wire. */
  score: number;
  /** Cosine, at least 0; null without vectors or when the vector search did not find it. */
  denseScore: number | null;
  /** Share of the question's IDF mass, see `calibrated`; null if it contains none of its words. */
  textScore: number | null;
  /** Sort key, 0 to 1. */
  rank: number;
  /**
   * Position among the text hits and among the vector hits, from 1; null if it is not one of them.
   */
  textPlace: number | null;
  densePlace: number | null;
}

/** The usual constant of reciprocal rank fusion. */
const rankConstant = 60;

/**
 * Merges both halves by reciprocal rank fusion: 1 / (60 + place), summed over both lists. Text hits
 * alone keep the proportions of their own ranks. Both lists are best first, and either may be empty.
 * Pure.
 */
export function fuse({
  text,
  dense,
}: {
  text: RankedText[];
  dense: ScoredId[] | null;
}): RankedChunk[] {
  const found = new Map<string, RankedChunk>();
  const bestText = text[0]?.rank ?? 0;
  // Scaled so that the first hit of both lists has rank 1.
  const reciprocal = (place: number): number => (rankConstant + 1) / (rankConstant + place) / 2;
  for (const [index, hit] of text.entries()) {
    const relative = bestText > 0 ? hit.rank / bestText : 0;
    found.set(hit.id, {
      id: hit.id,
      score: hit.score,
      textScore: hit.score,
      denseScore: null,
      rank: dense?.length ? reciprocal(index + 1) : relative,
      textPlace: index + 1,
      densePlace: null,
    });
  }
  for (const [index, hit] of (dense ?? []).entries()) {
    const cosine = Math.max(0, Math.min(1, hit.score));
    const one = found.get(hit.id) ?? {
      id: hit.id,
      score: 0,
      textScore: null,
      denseScore: null,
      rank: 0,
      textPlace: null,
      densePlace: null,
    };
    one.denseScore = cosine;
    one.densePlace = index + 1;
    one.score = Math.max(one.score, cosine);
    one.rank += reciprocal(index + 1);
    found.set(hit.id, one);
  }
  // Equal ranks keep the text order, then the vector order.
  const place = ({ textPlace, densePlace }: RankedChunk): number =>
    textPlace ?? text.length + densePlace!;
  return [...found.values()].sort((a, b) => b.rank - a.rank || place(a) - place(b));
}
