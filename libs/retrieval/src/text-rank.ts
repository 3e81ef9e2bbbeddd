import {
  termWeight,
  type TermStatistics,
  type TextHit,
  questionTermWeight,
} from "@carrel/vector-store";
import { expandQuestion, type ExpansionTerm } from "./expand-question.ts";
import { QuestionOccurrences } from "./question-occurrences.ts";
import { questionMass, type QuestionPart, type WeighedWord } from "./question.ts";
import type { RankCandidate } from "./rank-candidate.ts";
import { termNumbers } from "./term-numbers.ts";

/**
 * Weight of question words that occur close together, on top of the words themselves; the usual
 * share in a sequential dependence model.
 */
const pairWeight = 0.3;
/** Maximum distance in terms between two words of a pair. */
const maxDistance = 8;

/**
 * The rank that a chunk gains when adjacent words of the question occur near each other; the
 * nearer, the more. In a long question, pairs of all words would outweigh the words themselves.
 * Each pair saturates like a word.
 */
function proximityScorer(
  words: readonly WeighedWord[],
  occurrences: QuestionOccurrences,
  { averageLength }: TermStatistics,
): (candidate: RankCandidate) => number {
  const { positions } = occurrences;
  // Reused by every call: pairs by their first word.
  const pairs: number[] = [];
  const counts = new Float64Array(words.length);
  return ({ body, bodyFrom, to }) => {
    pairs.length = 0;
    let first = bodyFrom;
    for (let at = bodyFrom; at < to; at++) {
      const word = occurrences.matchAt(at).asked,
        position = positions[at]!;
      if (word < 0) continue;
      while (first < at && position - positions[first]! > maxDistance) first++;
      for (let before = first; before < at; before++) {
        const other = occurrences.matchAt(before).asked;
        if (other < 0 || Math.abs(word - other) !== 1) continue;
        const pair = Math.min(word, other);
        if (counts[pair] === 0) pairs.push(pair);
        // Both may be forms of one compound.
        counts[pair]! += 1 / Math.max(1, position - positions[before]!);
      }
    }
    let score = 0;
    for (const pair of pairs) {
      const weight = Math.min(words[pair]!.idf, words[pair + 1]!.idf);
      score += weight * termWeight(counts[pair]!, body.length, averageLength);
      counts[pair] = 0;
    }
    return pairWeight * score;
  };
}

export interface RankedText extends PassageScore {
  id: string;
  /** Orders the hits of one question; at least 0, no upper limit. */
  rank: number;
}

/**
 * A word in the title or a heading shows what the chunk is about, but counts less than one in the
 * text.
 */
const contextWeight = 0.5;

/**
 * Ranks the candidates of the text index, best first: BM25 over words (any form matches), words
 * close together and, unless `expansion` is false, terms of the top hits. `parts`: clauses of the
 * question, which are also scored on their own. Returns as `expansion` the terms that expanded the
 * question.
 */
export function rankText(
  hits: TextHit[],
  words: WeighedWord[],
  statistics: TermStatistics,
  options: { expansion?: boolean; parts?: readonly QuestionPart[] } = {},
): { hits: RankedText[]; expansion: ExpansionTerm[] } {
  termNumbers.shrink();
  const numbered = hits.map(({ terms }) => termNumbers.read(terms));
  const occurrences = new QuestionOccurrences(words);
  const candidates = hits.map(({ id }, place) => occurrences.locate(id, numbered[place]!));
  const scoreWords = wordScorer(words.length, occurrences, statistics),
    scoreProximity = proximityScorer(words, occurrences, statistics);
  for (const candidate of candidates)
    candidate.rank = scoreWords(candidate) + scoreProximity(candidate);
  candidates.sort((a, b) => b.rank - a.rank);
  const mass = questionMass(words);
  const best = candidates[0];
  const expansion =
    options.expansion === false || best === undefined
      ? []
      : expandQuestion(candidates, {
          isAsked: (number) => occurrences.isAsked(number),
          certainty: massOf(best, words, occurrences) / mass,
          statistics,
        });
  occurrences.release();
  const score = passageScorer(candidates, words, options.parts ?? [], occurrences, statistics);
  const ranked: RankedText[] = [];
  for (const candidate of candidates)
    if (candidate.rank > 0)
      ranked.push({
        id: candidate.id,
        rank: candidate.rank,
        ...score(candidate),
      });
  return { hits: ranked, expansion };
}

/** BM25 over the words of the question, each across all its forms. */
function wordScorer(
  words: number,
  occurrences: QuestionOccurrences,
  { averageLength }: TermStatistics,
): (candidate: RankCandidate) => number {
  // Reused by every call.
  const counts = new Float64Array(words),
    idfs = new Float64Array(words);
  return ({ body, from, bodyFrom, to }) => {
    counts.fill(0);
    idfs.fill(0);
    for (let at = from; at < to; at++) {
      const weight = at < bodyFrom ? contextWeight : 1;
      for (const { index, idf } of occurrences.matchAt(at).forms) {
        counts[index]! += weight;
        if (idf > idfs[index]!) idfs[index] = idf;
      }
    }
    let score = 0;
    for (let index = 0; index < words; index++)
      if (counts[index]! > 0)
        score += idfs[index]! * termWeight(counts[index]!, body.length, averageLength);
    return score;
  };
}

/** The question's mass in a chunk's text, wherever it occurs. */
function massOf(
  { bodyFrom, to }: RankCandidate,
  words: WeighedWord[],
  occurrences: QuestionOccurrences,
): number {
  const found = new Set<number>();
  for (let at = bodyFrom; at < to; at++) {
    const { asked } = occurrences.matchAt(at);
    if (asked >= 0) found.add(asked);
  }
  let mass = 0;
  for (const index of found) mass += words[index]!.idf;
  return mass;
}

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
interface PassageScore {
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
function passageScorer(
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
