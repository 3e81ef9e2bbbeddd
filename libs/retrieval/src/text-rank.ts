import { termWeight, type TermStatistics, type TextHit } from "@carrel/vector-store";
import { expandQuestion, type ExpansionTerm } from "./expand-question.ts";
import { passageScorer, type PassageScore } from "./passage-score.ts";
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
