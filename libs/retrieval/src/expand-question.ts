import {
  inverseDocumentFrequency,
  lengthNorm,
  normedWeight,
  type TermStatistics,
} from "@carrel/vector-store";
import { languageMark } from "./chunk-terms.ts";
import type { RankCandidate } from "./rank-candidate.ts";
import { termNumbers } from "./term-numbers.ts";

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
 * Share of the question's mass below which the best hit isn't fully trusted: texts on other topics
 * contain a third of the words, too.
 */
const sureShare = 1 / 3;

/**
 * Pseudo-relevance feedback (RM3): the top hits use other words for the same topic, and candidates
 * that share those move up. It only affects candidates that contain a word of the question, and
 * needs enough hits that agree. Reorders `candidates` (best first). `isAsked`: whether a term, by
 * number, is in the question; `certainty`: the share of the question's mass in the best hit.
 * Returns the terms, highest weight first; the weights sum to 1.
 */
export function expandQuestion(
  candidates: RankCandidate[],
  o: {
    isAsked: (number: number) => boolean;
    certainty: number;
    statistics: TermStatistics;
  },
): ExpansionTerm[] {
  const first = candidates.slice(0, feedback.hits);
  const top = first[0]?.rank ?? 0;
  if (first.length < feedback.minHits || top <= 0) return [];
  // Relative to the first hit, so that the power applies to numbers up to 1.
  const hitWeights = first.map((candidate) => (candidate.rank / top) ** feedback.power);
  const shared = findShared(first, hitWeights, o.isAsked);
  const counts = countShared(candidates, shared);
  const chosen = chooseTerms(shared, counts.frequencies, candidates.length);
  const sum = chosen.reduce((total, { weight }) => total + weight, 0);
  if (sum === 0) return [];
  const extra = scoreByTerms(candidates, chosen, counts, sum, o.statistics.averageLength);
  const most = extra.reduce((largest, score) => Math.max(largest, score), 0);
  if (most === 0) return [];
  const share = feedback.share * Math.min(1, o.certainty / sureShare);
  for (const [index, candidate] of candidates.entries())
    candidate.rank = (1 - share) * candidate.rank + share * top * (extra[index]! / most);
  candidates.sort((a, b) => b.rank - a.rank);
  return chosen.map(({ term, weight }) => ({ term, weight: weight / sum }));
}

/** Terms, as numbers, that several of the first hits share; `weight`: their share of these hits. */
interface SharedTerms {
  numbers: number[];
  weights: number[];
}

function findShared(
  first: RankCandidate[],
  hitWeights: number[],
  isAsked: (number: number) => boolean,
): SharedTerms {
  const all = hitWeights.reduce((sum, weight) => sum + weight, 0);
  // By term, its entry plus 1; the lists below are by entry.
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
      const entry = entryOf.get(number) - 1;
      if (entry < 0) {
        entryOf.set(number, numbers.push(number));
        weights.push(part);
        hits.push(isAsked(number) ? -Infinity : 1);
        last.push(place);
        continue;
      }
      weights[entry]! += part;
      if (last[entry] === place) continue;
      hits[entry]!++;
      last[entry] = place;
    }
  }
  termNumbers.release(entryOf);
  const isShared = (_: number, entry: number): boolean => hits[entry]! >= minAgreeingHits;
  return { numbers: numbers.filter(isShared), weights: weights.filter(isShared) };
}

/** How often each candidate contains each of the terms, and how many candidates do. */
interface SharedCounts {
  /** Candidate by candidate. */
  counts: Uint16Array;
  frequencies: Int32Array;
}

function countShared(candidates: RankCandidate[], { numbers }: SharedTerms): SharedCounts {
  const placeOf = termNumbers.acquire();
  for (let place = 0; place < numbers.length; place++) placeOf.set(numbers[place]!, place + 1);
  const counts = new Uint16Array(candidates.length * numbers.length);
  const frequencies = new Int32Array(numbers.length);
  for (let index = 0; index < candidates.length; index++) {
    const { body } = candidates[index]!;
    const start = index * numbers.length - 1;
    for (let at = 0; at < body.length; at++) {
      const place = placeOf.get(body[at]!);
      if (place > 0 && counts[start + place]!++ === 0) frequencies[place - 1]!++;
    }
  }
  termNumbers.release(placeOf);
  return { counts, frequencies };
}

/**
 * The most informative of the shared terms, highest weight first; `place`: the index among them.
 */
function chooseTerms(
  { numbers, weights }: SharedTerms,
  frequencies: Int32Array,
  candidateCount: number,
): { place: number; term: string; weight: number }[] {
  return (
    numbers
      // A term that also occurs in most candidates says nothing.
      .map((number, place) => ({
        place,
        term: termNumbers.nameOf(number),
        weight: weights[place]! * inverseDocumentFrequency(frequencies[place]!, candidateCount),
      }))
      .filter(({ term }) => !term.startsWith(languageMark))
      .sort((a, b) => b.weight - a.weight || (a.term < b.term ? -1 : 1))
      .slice(0, feedback.terms)
  );
}

/** BM25 of each candidate for the terms, whose weights add up to `sum`. */
function scoreByTerms(
  candidates: RankCandidate[],
  terms: { place: number; weight: number }[],
  { counts, frequencies }: SharedCounts,
  sum: number,
  averageLength: number,
): Float64Array {
  const places = Int32Array.from(terms, ({ place }) => place),
    weights = Float64Array.from(terms, ({ weight }) => weight / sum);
  const scores = new Float64Array(candidates.length);
  for (let index = 0; index < candidates.length; index++) {
    const start = index * frequencies.length,
      norm = lengthNorm(candidates[index]!.body.length, averageLength);
    let score = 0;
    for (let at = 0; at < places.length; at++) {
      const count = counts[start + places[at]!]!;
      if (count > 0) score += weights[at]! * normedWeight(count, norm);
    }
    scores[index] = score;
  }
  return scores;
}
