import type { RankedText } from "./text-rank.ts";
import type { ScoredId } from "@carrel/vector-store";

export interface RankedChunk {
  /** Chunk id. */
  id: string;
  /** 0 to 1: the larger of the two below; what the threshold is held against and the wire shows. */
  score: number;
  /** Cosine, at least 0; null when no vectors took part or it is not among those found. */
  denseScore: number | null;
  /**
   * Share of the question's IDF mass, see `calibrated`; null when none of its words stand in it.
   */
  textScore: number | null;
  /** For the order, 0 to 1. */
  rank: number;
  /** Place among the hits by words, and among those by vectors, from 1; null: not among them. */
  textPlace: number | null;
  densePlace: number | null;
}

/**
 * Part of the rank that vectors decide: where both halves agree in all, and where no chunk holds
 * anything of the question's words.
 */
const denseShare = { agreed: 0.35, textUnsure: 0.6 };
/** Agreement up to which vectors have no say, and from which they have all of it. */
const agreement = { none: 0.4, full: 0.9 };
/**
 * Hits of each half that are judged against each other, and the text score from which the text half
 * is sure.
 */
const judged = 10;
const sureScore = 0.1;
/**
 * Hits of each half that count: what the shares mean must not change with the length of the lists.
 */
const depth = 60;
/**
 * Cosines of a list that differ by less say little: a model that finds everything alike, whose
 * order is chance.
 */
const leastContrast = 0.02;

/**
 * How much the vectors of one question are worth: what their first hits are worth to the text half,
 * against that half's own
 * first hits. Vectors that are weak in the matter or the language, or made of letters, put chunks
 * first that share little with
 * the question, and get no say; so a hybrid is not below its text half, whatever the vectors are
 * (docs/decisions/search-fusion.md). That they
 * stand out of their own list says nothing of the kind. Where no chunk holds much of the question's
 * words (another language,
 * other words), the text half has no say in that.
 */
function shareOfDense(text: RankedText[], dense: ScoredId[], contrast: number): number {
  const best = text[0]?.rank ?? 0;
  if (best <= 0) return 1;
  const ranks = new Map(text.slice(0, depth).map((hit) => [hit.id, hit.rank / best]));
  // As many of one half as of the other: where words find three chunks, vectors cannot agree about
  // ten.
  const compared = Math.min(judged, text.length, dense.length);
  const worth = (hits: { id: string }[]): number =>
    hits.slice(0, compared).reduce((sum, hit) => sum + (ranks.get(hit.id) ?? 0), 0);
  const share =
    denseShare.agreed * between(worth(dense) / worth(text), agreement.none, agreement.full);
  const sure = Math.min(
    1,
    text.slice(0, judged).reduce((most, hit) => Math.max(most, hit.score), 0) / sureScore,
  );
  return (sure * share + (1 - sure) * denseShare.textUnsure) * between(contrast, 0, leastContrast);
}

/** 0 up to `from`, 1 from `to` on, and in proportion between them. */
const between = (value: number, from: number, to: number): number =>
  Math.max(0, Math.min(1, (value - from) / (to - from)));

/**
 * One order from both halves: the weighted sum of each half's score, brought to 0 to 1 over its own
 * hits. Unlike ranks alone,
 * this keeps how sure a half is of its first hits. Both come best first. Pure; either half may be
 * empty. `denseShare`: the part
 * that vectors decided.
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
  // Equal ranks keep the order of the words, then that of the vectors.
  const place = ({ textPlace, densePlace }: RankedChunk): number =>
    textPlace ?? text.length + densePlace!;
  return {
    chunks: [...found.values()].sort((a, b) => b.rank - a.rank || place(a) - place(b)),
    denseShare,
  };
}
