import { questionTermWeight, type TermStatistics } from "@carrel/vector-store";
import type { QuestionOccurrences } from "./question-occurrences.ts";
import type { QuestionPart, WeighedWord } from "./question.ts";
import type { RankCandidate } from "./rank-candidate.ts";

/** Sliding window in terms: about three sentences. */
const windowLength = 36;
/**
 * Maps covered shares to the scale of cosines: 0.25 is a share of 0.4, 0.5 of 0.63, 0.75 of 0.83.
 */
const coverageCurve = 1.5;
/**
 * Steeper, because passages that share half of a question's words are usually only on its topic.
 */
const rerankCurve = 2.2;
/**
 * Weight of a word that no candidate contains, not even as a related word: it says more about the
 * wording of the question than about any passage.
 */
const unknownWeight = 0.3;
/** Only the clauses with the largest share of the question are scored separately. */
const maxParts = 4;
/** Share of the question that a clause needs to count as the whole. */
const wholePart = 0.35;
/**
 * How much more of the question a chunk contains, in nats, than the best chunk would if words were
 * spread at random: `related` reaches the default threshold, and `scale` more takes it two thirds
 * of the way to `most`.
 */
const beyondChance = { related: 0.5, threshold: 0.25, most: 0.6, scale: 6 };
/** A chunk with less than this share of the best one's is less related. */
const ofBest = 0.4;

/** How well a passage matches the question's words, both 0 to 1 and comparable with cosines. */
export interface PassageScore {
  /** Compared with the threshold, see `passageScorer`. */
  score: number;
  /** The share of the whole question that occurs close together, for reranking. */
  coverage: number;
}

/**
 * Scores passages by their words. `score` is the larger of
 *
 * - the share of the question, or of its best covered clause, that occurs close together; words in
 *   title and headings count everywhere.
 * - how unlikely it is that the chunk has so many of the question's words by chance, in a workspace
 *   of this size. Passages for a long question rarely cover much of it.
 */
export function passageScorer(
  candidates: readonly RankCandidate[],
  words: readonly WeighedWord[],
  parts: readonly QuestionPart[],
  occurrences: QuestionOccurrences,
  statistics: TermStatistics,
): (candidate: RankCandidate) => PassageScore {
  const isKnown = new Uint8Array(words.length);
  for (let at = 0; at < occurrences.positions.length; at++)
    isKnown[occurrences.matchAt(at).matched] = 1;
  const weights = Float64Array.from(
    words,
    ({ idf }, index) => idf * (isKnown[index] === 1 ? 1 : unknownWeight),
  );
  const coveredShare = coverageScorer(weights, words, parts, occurrences);
  const idfs = Float64Array.from(words, ({ idf }) => idf);
  const mass = sumOf(idfs);
  const massIn = densestWindowScorer(idfs, occurrences);
  const information = informationScorer(words, occurrences);
  const most = candidates.reduce(
    (largest, candidate) => Math.max(largest, information(candidate)),
    0,
  );
  const byChance = Math.log(Math.max(1, statistics.documentCount));
  return (candidate) => {
    const own = information(candidate);
    const related = relatedness(own - byChance) * Math.min(1, own / (ofBest * most || 1));
    return {
      score: Math.max(Math.min(1, coveredShare(candidate)) ** coverageCurve, related),
      coverage: mass === 0 ? 0 : Math.min(1, massIn(candidate) / mass) ** rerankCurve,
    };
  };
}

function relatedness(lift: number): number {
  const { related, threshold, most, scale } = beyondChance;
  return lift < related
    ? threshold * Math.exp(lift - related)
    : threshold + (most - threshold) * (1 - Math.exp((related - lift) / scale));
}

/** The information in the question's words that a chunk has anywhere, in nats. */
function informationScorer(
  words: readonly WeighedWord[],
  occurrences: QuestionOccurrences,
): (candidate: RankCandidate) => number {
  const information = Float64Array.from(words, ({ idf, count }) => idf / questionTermWeight(count));
  // Reused by every call: the call that last saw each word.
  const seen = new Int32Array(words.length);
  let call = 0;
  return ({ from, to }) => {
    call++;
    let sum = 0;
    for (let at = from; at < to; at++) {
      const { matched } = occurrences.matchAt(at);
      if (seen[matched] === call) continue;
      seen[matched] = call;
      sum += information[matched]!;
    }
    return sum;
  };
}

/** The share of the question, or of one of its larger clauses, that occurs close together. */
function coverageScorer(
  weights: Float64Array,
  words: readonly WeighedWord[],
  parts: readonly QuestionPart[],
  occurrences: QuestionOccurrences,
): (candidate: RankCandidate) => number {
  const mass = sumOf(weights);
  if (mass === 0) return () => 0;
  const clauses =
    parts.length < 2
      ? []
      : parts
          .map(({ start, end }) =>
            weights.map((weight, index) =>
              words[index]!.start >= start && words[index]!.start < end ? weight : 0,
            ),
          )
          .map((own) => ({ own, sum: sumOf(own) }))
          .filter(({ sum }) => sum > 0)
          .sort((a, b) => b.sum - a.sum)
          .slice(0, maxParts);
  const scorers = [{ own: weights, sum: mass }, ...clauses].map(({ own, sum }) => ({
    massIn: densestWindowScorer(own, occurrences),
    share: Math.min(1, sum / (wholePart * mass)) / sum,
  }));
  return (candidate) =>
    scorers.reduce((best, { massIn, share }) => Math.max(best, massIn(candidate) * share), 0);
}

const sumOf = (weights: Float64Array): number => weights.reduce((sum, weight) => sum + weight, 0);

/**
 * The largest part of the question's mass that occurs close together in a chunk; words in its title
 * and headings count everywhere.
 */
function densestWindowScorer(
  weights: Float64Array,
  occurrences: QuestionOccurrences,
): (candidate: RankCandidate) => number {
  const { positions } = occurrences;
  // Reused by every call.
  const inContext = new Uint8Array(weights.length),
    seen = new Int32Array(weights.length);
  return ({ from, bodyFrom, to }) => {
    inContext.fill(0);
    seen.fill(0);
    for (let at = from; at < bodyFrom; at++) inContext[occurrences.matchAt(at).matched] = 1;
    let base = 0;
    for (let index = 0; index < weights.length; index++)
      if (inContext[index] === 1) base += weights[index]!;
    let mass = 0,
      most = 0,
      first = bodyFrom;
    const leave = (before: number): void => {
      for (; first < to && positions[first]! < before; first++) {
        const left = occurrences.matchAt(first).matched;
        if (inContext[left] === 0 && --seen[left]! === 0) mass -= weights[left]!;
      }
    };
    for (let at = bodyFrom; at < to; at++) {
      const start = positions[at]! - windowLength,
        added = occurrences.matchAt(at).matched;
      // In the order of the text, so that sums are rounded alike.
      leave(start);
      if (inContext[added] === 0 && seen[added]!++ === 0) mass += weights[added]!;
      leave(start + 1);
      if (mass > most) most = mass;
    }
    return base + most;
  };
}
