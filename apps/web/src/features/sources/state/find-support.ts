import type { Range } from "./range.ts";
import { wordsOf } from "./words.ts";

/** Share of the claim's words, by weight, that the sentence must have. */
const leastShare = 0.35;
const leastWords = 2;
/** Words with this many letters in common at their start count as the same. */
const stemLength = 6;

const number = /\p{N}/u;
const wide = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
/** Words of one or two letters say nothing, unless they are numbers or the script has no spaces. */
const termsOf = (text: string): Set<string> =>
  new Set(
    wordsOf(text)
      .filter((word) => word.text.length > 2 || number.test(word.text) || wide.test(word.text))
      .map((word) => word.text.slice(0, stemLength)),
  );

const sentenceSegmenter = new Intl.Segmenter(undefined, { granularity: "sentence" });
/** Sentences with their places; a wrapped line, or a line of a table's row, doesn't end one. */
const sentencesOf = (text: string): (Range & { terms: Set<string> })[] =>
  [...sentenceSegmenter.segment(text.replace(/(?<=\S)\n(?=[^\s\-*•|#>])/g, " "))].flatMap(
    ({ index, segment }) => {
      const start = index + (segment.length - segment.trimStart().length);
      const end = index + segment.trimEnd().length;
      return end > start ? [{ start, end, terms: termsOf(segment) }] : [];
    },
  );

/**
 * The sentence of a passage that best supports a claim made in other words, by the words that they
 * share: the rarer in the passage, the more they count, and numbers count double. null: none does.
 */
export function findSupport(passage: string, claim: string): Range | null {
  const sentences = sentencesOf(passage);
  const terms = [...termsOf(claim)];
  if (sentences.length < 2) return null;
  const weights = new Map(
    terms.map((term) => {
      const count = sentences.filter((sentence) => sentence.terms.has(term)).length;
      return [
        term,
        Math.log(1 + sentences.length / Math.max(1, count)) * (number.test(term) ? 2 : 1),
      ];
    }),
  );
  const total = [...weights.values()].reduce((sum, weight) => sum + weight, 0);
  let best: { score: number; range: Range } | null = null;
  for (const { start, end, terms: own } of sentences) {
    const common = terms.filter((term) => own.has(term));
    const score = common.reduce((sum, term) => sum + weights.get(term)!, 0) / total;
    if (common.length >= leastWords && score >= leastShare && score > (best?.score ?? 0))
      best = { score, range: { start, end } };
  }
  return best?.range ?? null;
}
