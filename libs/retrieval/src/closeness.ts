import { termWeight, type TermStatistics } from "@carrel/vector-store";
import type { WeighedWord } from "./question.ts";
import type { WordsOfTerms } from "./text-rank.ts";

/**
 * Weight of question words that occur close together, on top of the words themselves; the usual
 * share in a sequential dependence model.
 */
const pairWeight = 0.3;
/** Factor for pairs that are not adjacent in the question. */
const strangers = 0.5;
/** Maximum distance in terms between two words of a pair. */
const reach = 8;

/**
 * Rank a chunk gains when words of the question occur near each other: the nearer, the more. Each
 * pair saturates like a word. `body`: the numbers of its terms.
 */
export function pairsCloseTogether(
  body: Int32Array,
  words: readonly WeighedWord[],
  wordOf: WordsOfTerms,
  statistics: TermStatistics,
): number {
  const found: number[] = [],
    places: number[] = [];
  let first = 0;
  let pairs: Map<number, number> | null = null;
  for (let place = 0; place < body.length; place++) {
    const word = wordOf[body[place]!]! - 1;
    if (word < 0) continue;
    while (first < found.length && place - places[first]! > reach) first++;
    for (let before = first; before < found.length; before++) {
      const other = found[before]!;
      if (other === word) continue;
      const pair = Math.min(word, other) * words.length + Math.max(word, other);
      pairs ??= new Map();
      pairs.set(
        pair,
        (pairs.get(pair) ?? 0) +
          (Math.abs(word - other) === 1 ? 1 : strangers) / (place - places[before]!),
      );
    }
    found.push(word);
    places.push(place);
  }
  if (pairs === null) return 0;
  let gained = 0;
  for (const [pair, count] of pairs) {
    const weight = Math.min(
      words[Math.floor(pair / words.length)]!.idf,
      words[pair % words.length]!.idf,
    );
    gained += weight * termWeight(count, body.length, statistics.averageLength);
  }
  return pairWeight * gained;
}
