import { termWeight, type TermStatistics } from "@carrel/vector-store";
import type { WeighedWord } from "./question.ts";
import type { QuestionWordIndex } from "./rank-candidate.ts";

/**
 * Weight of question words that occur close together, on top of the words themselves; the usual
 * share in a sequential dependence model.
 */
const pairWeight = 0.3;
/** Maximum distance in terms between two words of a pair. */
const maxDistance = 8;

/**
 * The rank that a chunk, given as the numbers of its terms, gains when neighbouring words of the
 * question occur near each other: the nearer, the more. Pairs of all words would outweigh the words
 * themselves in a long question. Each pair saturates like a word.
 */
export function proximityScorer(
  words: readonly WeighedWord[],
  wordOf: QuestionWordIndex,
  { averageLength }: TermStatistics,
): (body: Int32Array) => number {
  // Reused by every call: words found so far with their positions, and pairs by their first word.
  const found: number[] = [],
    positions: number[] = [],
    pairs: number[] = [];
  const counts = new Float64Array(words.length);
  return (body) => {
    found.length = positions.length = pairs.length = 0;
    let first = 0;
    for (let position = 0; position < body.length; position++) {
      const word = wordOf[body[position]!]! - 1;
      if (word < 0) continue;
      while (first < found.length && position - positions[first]! > maxDistance) first++;
      for (let before = first; before < found.length; before++) {
        const other = found[before]!;
        if (Math.abs(word - other) !== 1) continue;
        const pair = Math.min(word, other);
        if (counts[pair] === 0) pairs.push(pair);
        counts[pair]! += 1 / (position - positions[before]!);
      }
      found.push(word);
      positions.push(position);
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
