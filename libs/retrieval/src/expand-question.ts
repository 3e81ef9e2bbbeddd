import { inverseDocumentFrequency, termWeight, type TermStatistics } from "@carrel/vector-store";
import { languageMark } from "./chunk-terms.ts";
import { termNumbers } from "./term-numbers.ts";
import type { QuestionWordIndex, RankCandidate } from "./rank-candidate.ts";

/** A term from the top hits that was added to the question. */
export interface ExpansionTerm {
  term: string;
  weight: number;
}

/**
 * `hits`: top hits whose terms expand the question; `terms`: how many of their terms are used;
 * `share`: their part in the final rank; `power`: boosts the better of these hits, because a top
 * hit that stands out mostly confirms itself (docs/decisions/search.md).
 */
const feedback = { hits: 12, terms: 80, share: 0.5, minHits: 4, power: 8 };
/** A term that occurs in a single hit describes that chunk rather than the question. */
const minAgreeingHits = 2;

/**
 * Share of the question's mass below which the best hit is too unsure to be believed fully: a third
 * of the words also occurs in texts on another topic.
 */
const sureShare = 1 / 3;

/**
 * Pseudo-relevance feedback (RM3): the top hits use other words for the same topic, and candidates
 * that share those move up. It only affects candidates with a word of the question, and needs
 * enough hits that agree. Reorders `candidates` (best first). `frequencies`: number of candidates that
 * contain a term, by its number; `asked`: the question's own terms; `certainty`: the share of the
 * question's mass in the best hit. Returns the terms, highest weight first; the weights sum to 1.
 */
export function expandQuestion(
  candidates: RankCandidate[],
  o: {
    frequencies: Int32Array;
    asked: QuestionWordIndex;
    certainty: number;
    statistics: TermStatistics;
  },
): ExpansionTerm[] {
  const first = candidates.slice(0, feedback.hits);
  const top = first[0]?.rank ?? 0;
  if (first.length < feedback.minHits || top <= 0) return [];
  // Relative to the first hit, so that the power applies to numbers up to 1.
  const hitWeights = first.map((candidate) => (candidate.rank / top) ** feedback.power);
  const all = hitWeights.reduce((sum, weight) => sum + weight, 0);
  const weights = new Map<number, { weight: number; hits: number; last: number }>();
  for (const [place, { body }] of first.entries()) {
    const part = hitWeights[place]! / all / Math.max(1, body.length);
    for (const number of body) {
      if (o.asked[number] !== 0) continue;
      const entry = weights.get(number);
      if (entry === undefined) {
        weights.set(number, { weight: part, hits: 1, last: place });
        continue;
      }
      entry.weight += part;
      if (entry.last !== place) {
        entry.hits++;
        entry.last = place;
      }
    }
  }
  const chosen = [...weights]
    .filter(([, entry]) => entry.hits >= minAgreeingHits)
    // A term that also occurs in most candidates says nothing.
    .map(([number, entry]) => ({
      number,
      term: termNumbers.nameOf(number),
      weight: entry.weight * inverseDocumentFrequency(o.frequencies[number]!, candidates.length),
    }))
    .filter(({ term }) => !term.startsWith(languageMark))
    .sort((a, b) => b.weight - a.weight || (a.term < b.term ? -1 : 1))
    .slice(0, feedback.terms);
  const sum = chosen.reduce((total, { weight }) => total + weight, 0);
  if (sum === 0) return [];
  const placeOf = termNumbers.acquire();
  for (const [place, { number }] of chosen.entries()) placeOf[number] = place + 1;
  const counts = new Int32Array(chosen.length);
  const extra = candidates.map(({ body }) => {
    counts.fill(0);
    for (const number of body) if (placeOf[number]! > 0) counts[placeOf[number]! - 1]!++;
    let score = 0;
    for (const [place, { weight }] of chosen.entries())
      if (counts[place]! > 0)
        score +=
          (weight / sum) * termWeight(counts[place]!, body.length, o.statistics.averageLength);
    return score;
  });
  termNumbers.release(
    placeOf,
    chosen.map(({ number }) => number),
  );
  const most = Math.max(...extra);
  if (most === 0) return [];
  const share = feedback.share * Math.min(1, o.certainty / sureShare);
  for (const [index, candidate] of candidates.entries())
    candidate.rank = (1 - share) * candidate.rank + share * top * (extra[index]! / most);
  candidates.sort((a, b) => b.rank - a.rank);
  return chosen.map(({ term, weight }) => ({ term, weight: weight / sum }));
}
