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
  const chosen = chooseTerms(first, hitWeights, candidates.length, o);
  const sum = chosen.reduce((total, { weight }) => total + weight, 0);
  if (sum === 0) return [];
  const extra = scoreByTerms(candidates, chosen, sum, o.statistics.averageLength);
  const most = extra.reduce((largest, score) => Math.max(largest, score), 0);
  if (most === 0) return [];
  const share = feedback.share * Math.min(1, o.certainty / sureShare);
  for (const [index, candidate] of candidates.entries())
    candidate.rank = (1 - share) * candidate.rank + share * top * (extra[index]! / most);
  candidates.sort((a, b) => b.rank - a.rank);
  return chosen.map(({ term, weight }) => ({ term, weight: weight / sum }));
}

/** The terms that several of the first hits share, highest weight first. */
function chooseTerms(
  first: RankCandidate[],
  hitWeights: number[],
  candidateCount: number,
  o: { frequencies: Int32Array; asked: QuestionWordIndex },
): { number: number; term: string; weight: number }[] {
  const all = hitWeights.reduce((sum, weight) => sum + weight, 0);
  // By each term's entry, which `entryOf` holds plus 1.
  const entryOf = termNumbers.acquire();
  const numbers: number[] = [],
    weights: number[] = [],
    hits: number[] = [],
    last: number[] = [];
  for (let place = 0; place < first.length; place++) {
    const { body } = first[place]!;
    const part = hitWeights[place]! / all / Math.max(1, body.length);
    for (let at = 0; at < body.length; at++) {
      const number = body[at]!;
      if (o.asked[number] !== 0) continue;
      const entry = entryOf[number]! - 1;
      if (entry < 0) {
        entryOf[number] = numbers.push(number);
        weights.push(part);
        hits.push(1);
        last.push(place);
        continue;
      }
      weights[entry]! += part;
      if (last[entry] === place) continue;
      hits[entry]!++;
      last[entry] = place;
    }
  }
  termNumbers.release(entryOf, numbers);
  return (
    numbers
      .map((number, entry) => ({ number, entry }))
      .filter(({ entry }) => hits[entry]! >= minAgreeingHits)
      // A term that also occurs in most candidates says nothing.
      .map(({ number, entry }) => ({
        number,
        term: termNumbers.nameOf(number),
        weight: weights[entry]! * inverseDocumentFrequency(o.frequencies[number]!, candidateCount),
      }))
      .filter(({ term }) => !term.startsWith(languageMark))
      .sort((a, b) => b.weight - a.weight || (a.term < b.term ? -1 : 1))
      .slice(0, feedback.terms)
  );
}

/** BM25 of each candidate over the terms, whose weights add up to `sum`. */
function scoreByTerms(
  candidates: RankCandidate[],
  terms: { number: number; weight: number }[],
  sum: number,
  averageLength: number,
): Float64Array {
  const placeOf = termNumbers.acquire();
  for (const [place, { number }] of terms.entries()) placeOf[number] = place + 1;
  const weights = Float64Array.from(terms, ({ weight }) => weight / sum);
  const counts = new Int32Array(terms.length);
  const scores = new Float64Array(candidates.length);
  for (let index = 0; index < candidates.length; index++) {
    const { body } = candidates[index]!;
    counts.fill(0);
    for (let at = 0; at < body.length; at++) {
      const place = placeOf[body[at]!]!;
      if (place > 0) counts[place - 1]!++;
    }
    let score = 0;
    for (let place = 0; place < counts.length; place++)
      if (counts[place]! > 0)
        score += weights[place]! * termWeight(counts[place]!, body.length, averageLength);
    scores[index] = score;
  }
  termNumbers.release(
    placeOf,
    terms.map(({ number }) => number),
  );
  return scores;
}
