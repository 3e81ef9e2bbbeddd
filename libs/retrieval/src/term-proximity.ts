import { termWeight, type TermStatistics } from "@carrel/vector-store";
import type { WeighedWord } from "./question.ts";
import type { QuestionWordIndex } from "./rank-candidate.ts";

/**
 * Weight of question words that occur close together, on top of the words themselves; the usual
 * share in a sequential dependence model.
 */
const pairWeight = 0.3;
/** Factor for pairs that are not adjacent in the question. */
const nonAdjacentFactor = 0.5;
/** Maximum distance in terms between two words of a pair. */
const maxDistance = 8;

/**
 * Rank a chunk gains when words of the question occur near each other: the nearer, the more. Each
 * pair saturates like a word. `body`: the numbers of its terms.
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
      if (other === word) continue;
      const pair = Math.min(word, other) * words.length + Math.max(word, other);
      pairs ??= new Map();
      pairs.set(
        pair,
        (pairs.get(pair) ?? 0) +
          (Math.abs(word - other) === 1 ? 1 : nonAdjacentFactor) / (position - positions[before]!),
      );
    }
    found.push(word);
    positions.push(position);
  }
  if (pairs === null) return 0;
  let score = 0;
  for (const [pair, count] of pairs) {
    const weight = Math.min(
      words[Math.floor(pair / words.length)]!.idf,
      words[pair % words.length]!.idf,
    );
    score += weight * termWeight(count, body.length, statistics.averageLength);
  }
  return pairWeight * score;
}
