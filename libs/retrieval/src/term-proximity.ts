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
 * Rank a chunk gains when neighbouring words of the question occur near each other: the nearer, the
 * more. Pairs of all words would outweigh the words themselves in a long question. Each pair
 * saturates like a word. `body`: the numbers of its terms.
 */
export function proximityScore(
  body: Int32Array,
  words: readonly WeighedWord[],
  wordOf: QuestionWordIndex,
  statistics: TermStatistics,
): number {
  const found: number[] = [],
    positions: number[] = [];
  let first = 0;
  let pairs: Map<number, number> | null = null;
  for (let position = 0; position < body.length; position++) {
    const word = wordOf[body[position]!]! - 1;
    if (word < 0) continue;
    while (first < found.length && position - positions[first]! > maxDistance) first++;
    for (let before = first; before < found.length; before++) {
      const other = found[before]!;
      if (Math.abs(word - other) !== 1) continue;
      const pair = Math.min(word, other);
      pairs ??= new Map();
      pairs.set(pair, (pairs.get(pair) ?? 0) + 1 / (position - positions[before]!));
    }
    found.push(word);
    positions.push(position);
  }
  if (pairs === null) return 0;
  let score = 0;
  for (const [pair, count] of pairs) {
    const weight = Math.min(words[pair]!.idf, words[pair + 1]!.idf);
    score += weight * termWeight(count, body.length, statistics.averageLength);
  }
  return pairWeight * score;
}
