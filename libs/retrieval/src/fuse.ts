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

/**
 * Maximum share of the rank that vectors decide: where both halves fully agree, and where no chunk
 * contains any of the question's words.
 */
const denseShare = { agreed: 0.35, textUnsure: 0.6 };
/** Agreement up to which vectors don't count, and from which they count fully. */
const agreement = { none: 0.4, full: 0.9 };
/**
 * Hits per half that are compared to measure agreement, and the text score from which the text half
 * is confident.
 */
const judged = 10;
const sureScore = 0.1;
/** Hits per half that count, so that the shares don't depend on the length of the lists. */
const depth = 60;
/**
 * Smaller differences between a list's cosines mean little: the model rates everything alike, so
 * the order is random.
 */
const minContrast = 0.02;

/**
 * Weight of the vectors for one question: the text half's rating of their top hits, relative to its
 * own top hits. Vectors that are weak in the topic or language, or built from letters, rank chunks
 * first that share little with the question, and get no weight; so hybrid search is never worse
 * than its text half (docs/decisions/search-fusion.md). How far the top hits stand out in their own
 * list is no indication. Where no chunk contains much of the question's words (another language,
 * other wording), the text half cannot judge.
 */
function shareOfDense(text: RankedText[], dense: ScoredId[], contrast: number): number {
  const best = text[0]?.rank ?? 0;
  if (best <= 0) return 1;
  const ranks = new Map(text.slice(0, depth).map((hit) => [hit.id, hit.rank / best]));
  // The same number from both halves: where text search finds three chunks, vectors cannot agree
  // about ten.
  const compared = Math.min(judged, text.length, dense.length);
  const worth = (hits: { id: string }[]): number =>
    hits.slice(0, compared).reduce((sum, hit) => sum + (ranks.get(hit.id) ?? 0), 0);
  const share =
    denseShare.agreed * between(worth(dense) / worth(text), agreement.none, agreement.full);
  const sure = Math.min(
    1,
    text.slice(0, judged).reduce((most, hit) => Math.max(most, hit.score), 0) / sureScore,
  );
  return (sure * share + (1 - sure) * denseShare.textUnsure) * between(contrast, 0, minContrast);
}

/** 0 up to `from`, 1 from `to`, linear in between. */
const between = (value: number, from: number, to: number): number =>
  Math.max(0, Math.min(1, (value - from) / (to - from)));

/**
 * Merges both halves: the weighted sum of each half's score, normalised to 0 to 1 over its own
 * hits. Unlike rank fusion, this keeps how confident a half is in its top hits. Both lists are best
 * first, and either may be empty. Pure. `denseShare`: the share that vectors decided.
 */
export function fuse({ text, dense }: { text: RankedText[]; dense: ScoredId[] | null }): {
  chunks: RankedChunk[];
  denseShare: number;
} {
  const found = new Map<string, RankedChunk>();
  const bestText = text[0]?.rank ?? 0;
  const bestDense = dense?.[0]?.score ?? 0,
    floor =
      dense !== null && dense.length > 1 ? dense[Math.min(depth, dense.length) - 1]!.score : 0;
  const denseShare = dense?.length
    ? shareOfDense(text, dense, dense.length > 1 ? bestDense - floor : 1)
    : 0;
  for (const [index, hit] of text.entries()) {
    found.set(hit.id, {
      id: hit.id,
      score: hit.score,
      textScore: hit.score,
      denseScore: null,
      rank: (1 - denseShare) * (bestText > 0 ? hit.rank / bestText : 0),
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
    one.rank +=
      denseShare * (bestDense > floor ? Math.max(0, hit.score - floor) / (bestDense - floor) : 1);
    found.set(hit.id, one);
  }
  // Equal ranks keep the text order, then the vector order.
  const place = ({ textPlace, densePlace }: RankedChunk): number =>
    textPlace ?? text.length + densePlace!;
  return {
    chunks: [...found.values()].sort((a, b) => b.rank - a.rank || place(a) - place(b)),
    denseShare,
  };
}
