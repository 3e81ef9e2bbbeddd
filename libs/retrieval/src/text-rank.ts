import { termWeight, type TermStatistics, type TextHit } from "@carrel/vector-store";
import { expandQuestion, type ExpansionTerm } from "./expand-question.ts";
import { calibrated } from "./text-score.ts";
import { questionMass, type WeighedWord } from "./question.ts";
import { QuestionOccurrences } from "./question-occurrences.ts";
import type { RankCandidate } from "./rank-candidate.ts";
import { termNumbers } from "./term-numbers.ts";
import { proximityScorer } from "./term-proximity.ts";

export interface RankedText {
  id: string;
  /** Orders the hits of one question; at least 0, no upper limit. */
  rank: number;
  /** 0 to 1, see `calibrated`. */
  score: number;
}

/**
 * A word in the title or a heading shows what the chunk is about, but counts less than one in the
 * text.
 */
const contextWeight = 0.5;
/** Milder than for sentences, which are scored once more before they are quoted. */
const passageCurve = 2.2;
/** Sliding window for the text score, in terms: about three sentences. */
const windowLength = 36;

/**
 * Ranks the candidates of the text index, best first: BM25 over words (any form matches), words
 * close together and, unless `expansion` is false, terms of the top hits. Returns as `expansion`
 * the terms that expanded the question.
 */
export function rankText(
  hits: TextHit[],
  words: WeighedWord[],
  statistics: TermStatistics,
  options: { expansion?: boolean } = {},
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
  const massIn = densestWindowScorer(words, occurrences);
  const ranked: RankedText[] = [];
  for (const candidate of candidates)
    if (candidate.rank > 0)
      ranked.push({
        id: candidate.id,
        rank: candidate.rank,
        score: mass > 0 ? calibrated(massIn(candidate) / mass, passageCurve) : 0,
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

/**
 * The largest share of the question's mass that occurs close together in a chunk; words in its
 * title and headings count everywhere.
 */
function densestWindowScorer(
  words: WeighedWord[],
  occurrences: QuestionOccurrences,
): (candidate: RankCandidate) => number {
  const { positions } = occurrences;
  // Reused by every call.
  const idfs = Float64Array.from(words, ({ idf }) => idf);
  const inContext = new Uint8Array(words.length),
    seen = new Int32Array(words.length);
  return ({ from, bodyFrom, to }) => {
    inContext.fill(0);
    seen.fill(0);
    for (let at = from; at < bodyFrom; at++) inContext[occurrences.matchAt(at).matched] = 1;
    let base = 0;
    for (let index = 0; index < idfs.length; index++)
      if (inContext[index] === 1) base += idfs[index]!;
    let mass = 0,
      most = 0,
      first = bodyFrom;
    const leave = (before: number): void => {
      for (; first < to && positions[first]! < before; first++) {
        const left = occurrences.matchAt(first).matched;
        if (inContext[left] === 0 && --seen[left]! === 0) mass -= idfs[left]!;
      }
    };
    for (let at = bodyFrom; at < to; at++) {
      const start = positions[at]! - windowLength,
        added = occurrences.matchAt(at).matched;
      // In the order of the text, so that sums are rounded alike.
      leave(start);
      if (inContext[added] === 0 && seen[added]!++ === 0) mass += idfs[added]!;
      leave(start + 1);
      if (mass > most) most = mass;
    }
    return base + most;
  };
}
