import { analyse } from "./analyse.ts";
import type { ConversationWord } from "./conversation-words.ts";
import type { QuotableSentence } from "./quotable-sentence.ts";

/** Words this far apart in a sentence are still close. */
const nearby = 3;
/** Longer texts, which aren't sentences, aren't searched for pairs. */
const longestForPairs = 2_000;

/**
 * The number of neighbouring question words that also stand close to each other in a sentence;
 * `related`: further forms of each word.
 */
export function closePairs(
  { text }: QuotableSentence,
  language: string | null,
  words: readonly ConversationWord[],
  related: readonly Set<string>[],
): number {
  if (text.length > longestForPairs || words.length < 2) return 0;
  const wordOf = new Map<string, number[]>();
  const know = (form: string, word: number): void => {
    const known = wordOf.get(form);
    if (known === undefined) wordOf.set(form, [word]);
    else known.push(word);
  };
  for (const [word, { forms }] of words.entries()) {
    for (const form of forms) know(form, word);
    for (const form of related[word]!) know(form, word);
  }
  // Where each word last occurred, by the number of words before it.
  const last = words.map(() => -Infinity);
  const pairs = new Set<number>();
  let place = 0,
    start = -1;
  for (const found of analyse(text, { language })) {
    if (found.start !== start) {
      start = found.start;
      place++;
    }
    for (const word of wordOf.get(found.term) ?? []) {
      last[word] = place;
      if (word > 0 && place - last[word - 1]! <= nearby) pairs.add(word);
      if (word + 1 < words.length && place - last[word + 1]! <= nearby) pairs.add(word + 1);
    }
  }
  return pairs.size;
}
