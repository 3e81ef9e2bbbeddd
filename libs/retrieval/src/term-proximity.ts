import { termWeight, type TermStatistics } from "@carrel/vector-store";
import type { WeighedWord } from "./question.ts";
import type { QuestionOccurrences } from "./question-occurrences.ts";
import type { RankCandidate } from "./rank-candidate.ts";

/**
 * Weight of question words that occur close together, on top of the words themselves; the usual
 * share in a sequential dependence model.
 */
const pairWeight = 0.3;
/** Maximum distance in terms between two words of a pair. */
const maxDistance = 8;

/**
 * The rank that a chunk gains when neighbouring words of the question occur near each other: the
 * nearer, the more. Pairs of all words would outweigh the words themselves in a long question. Each
 * pair saturates like a word.
 */
export function proximityScorer(
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
