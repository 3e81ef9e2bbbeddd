import type { RankedText } from './text-rank.ts';
import type { ScoredId } from '@carrel/vector-store';

export interface RankedChunk {
  /** Chunk id. */
  id: string;
  /** 0 to 1: the larger of the two below; what the threshold is held against and the wire shows. */
  score: number;
  /** Cosine, at least 0; null when no vectors took part or it is not among those found. */
  denseScore: number | null;
  /** Share of the question's IDF mass, see `calibrated`; null when none of its words stand in it. */
  textScore: number | null;
  /** For the order, 0 to 1. */
  rank: number;
  /** Place among the hits by words, and among those by vectors, from 1; null: not among them. */
  textPlace: number | null;
  densePlace: number | null;
}

/** Part of the rank that vectors decide: as a rule, what close agreement adds at most, and where the text half found nothing to hold on to. */
const denseShare = { usual: 0.15, agreed: 0.1, textUnsure: 0.6 };
/** Agreement below which vectors lose their say, and above which they gain. */
const agreementFrom = { little: 0.45, much: 0.7 };
/** How far the first vectors stand out of the rest, against the first hits by words: from where they gain a say, where they have the most, and how much that is. */
const standsOut = { from: 0.9, most: 1.45, share: 0.75 };
/** Hits at the top that may stand out; those in between are neither; fewer in the rest say nothing. */
const topHits = 5, between = 10, minRest = 10;
/** Hits of each half that are looked at to judge the vectors, and the text score from which the text half is sure. */
const judged = 10;
const sureScore = 0.1;

/**
 * How much the vectors of one question are worth: their first hits, weighed by the text half, against that half's own
 * first; and by how clearly it parts its first hits from the rest, which is how one that is much better than the words
 * shows where the words agree with it little. A model that is weak in the matter or the language puts chunks first that share nothing with the question,
 * and would otherwise pull good hits down. Where no chunk holds much of the question's words (another language,
 * other words), the text half has no say in that.
 */
function shareOfDense(text: RankedText[], dense: ScoredId[]): number {
  const best = text[0]?.rank ?? 0;
  if (best <= 0) return 1;
  const ranks = new Map(text.map((hit) => [hit.id, hit.rank / best]));
  const mean = (hits: { id: string }[]): number => hits.slice(0, judged).reduce((sum, hit) => sum + (ranks.get(hit.id) ?? 0), 0) / Math.min(judged, hits.length);
  const agreement = Math.min(1, mean(dense) / mean(text));
  const agreed = denseShare.usual * Math.min(1, agreement / agreementFrom.little)
    + denseShare.agreed * Math.max(0, agreement - agreementFrom.much) / (1 - agreementFrom.much);
  const clear = clearness(dense.map((hit) => hit.score)) / clearness(text.map((hit) => hit.rank));
  const share = agreed + (standsOut.share - agreed) * Math.max(0, Math.min(1, (clear - standsOut.from) / (standsOut.most - standsOut.from) || 0));
  const sure = Math.min(1, text.slice(0, judged).reduce((most, hit) => Math.max(most, hit.score), 0) / sureScore);
  return sure * share + (1 - sure) * denseShare.textUnsure;
}

/** Distance of the first hits from the rest, in standard deviations of the rest; not a number where there are too few. */
function clearness(descending: number[]): number {
  const rest = descending.slice(between);
  if (rest.length < minRest) return Number.NaN;
  const mean = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  const middle = mean(rest);
  return (mean(descending.slice(0, topHits)) - middle) / Math.sqrt(mean(rest.map((value) => (value - middle) ** 2)));
}

/**
 * Weighted sum of both halves, each brought to 0 to 1 over its own hits: unlike fusion by ranks, a half that is sure
 * outweighs one that finds everything alike. Both come best first. Pure; either half may be empty. `denseShare`: the part
 * that vectors decided.
 */
export function fuse({ text, dense }: { text: RankedText[]; dense: ScoredId[] | null }): { chunks: RankedChunk[]; denseShare: number } {
  const found = new Map<string, RankedChunk>();
  const bestText = text.reduce((most, hit) => Math.max(most, hit.rank), 0);
  const scores = (dense ?? []).map((hit) => hit.score);
  const bestDense = Math.max(...scores), worstDense = scores.length > 1 ? Math.min(...scores) : 0;
  const denseShare = dense?.length ? shareOfDense(text, dense) : 0;
  for (const [index, hit] of text.entries()) {
    found.set(hit.id, { id: hit.id, score: hit.score, textScore: hit.score, denseScore: null, rank: (1 - denseShare) * (bestText > 0 ? hit.rank / bestText : 0), textPlace: index + 1, densePlace: null });
  }
  for (const [index, hit] of (dense ?? []).entries()) {
    const cosine = Math.max(0, Math.min(1, hit.score));
    const one = found.get(hit.id) ?? { id: hit.id, score: 0, textScore: null, denseScore: null, rank: 0, textPlace: null, densePlace: null };
    one.denseScore = cosine;
    one.densePlace = index + 1;
    one.score = Math.max(one.score, cosine);
    one.rank += denseShare * (bestDense > worstDense ? (hit.score - worstDense) / (bestDense - worstDense) : 1);
    found.set(hit.id, one);
  }
  return { chunks: [...found.values()].sort((a, b) => b.rank - a.rank || b.score - a.score || (a.id < b.id ? -1 : 1)), denseShare };
}
