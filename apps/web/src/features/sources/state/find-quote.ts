import { wordsOf } from "./align-passage.ts";
import type { Range } from "./passage.ts";

/** Minimum share of the claim's words, by weight, that the sentence must contain. */
const leastShare = 0.35;
const leastWords = 2;
/** Words that share this many letters at the start count as the same. */
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
/** Sentences with their positions; a wrapped line, or a line of a table's row, doesn't end one. */
const sentencesOf = (text: string): (Range & { terms: Set<string> })[] =>
  [...sentenceSegmenter.segment(text.replace(/(?<=\S)\n(?=[^\s\-*•|#>])/g, " "))].flatMap(
    ({ index, segment }) => {
      const start = index + (segment.length - segment.trimStart().length);
      const end = index + segment.trimEnd().length;
      return end > start ? [{ start, end, terms: termsOf(segment) }] : [];
    },
  );

/**
 * The sentence of a passage that best supports a paraphrased claim, by the words they share: rarer
 * words in the passage count more, and numbers count double. null: none does.
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

/** Ignored in comparisons: white space, Markdown markup, and invisible hyphenation. */
const ignored = /[\s*_`~#|>\\\u00ad\u200b-\u200d\u2060\ufeff]/u;
const alphabetic = /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{N}]/u;
const wideScripts =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;
/** Citations often come before the full stop, which still belongs to the sentence. */
const fullStop = /^[.!?…。！？]+(?=\s|$)/u;
/** Shorter texts occur too often to identify a passage. */
const minLength = 8;

/** The normalized text, with the offset of each of its characters in `text`. */
function normalize(text: string): { letters: string; offsets: number[] } {
  let letters = "";
  const offsets: number[] = [];
  for (let index = 0; index < text.length; index += 1) {
    const letter = text[index]!;
    if (ignored.test(letter)) continue;
    letters += letter;
    offsets.push(index);
  }
  return { letters, offsets };
}

const weightedLength = (letters: string): number =>
  [...letters].reduce((sum, letter) => sum + (wideScripts.test(letter) ? 2 : 1), 0);
const isInsideWord = (one: string | undefined, other: string | undefined): boolean =>
  one !== undefined && other !== undefined && alphabetic.test(one) && alphabetic.test(other);

function findIn(
  passage: string,
  { letters, offsets }: { letters: string; offsets: number[] },
  words: string,
): Range | null {
  const target = normalize(words).letters;
  if (weightedLength(target) < minLength) return null;
  for (let at = letters.indexOf(target); at >= 0; at = letters.indexOf(target, at + 1)) {
    const start = offsets[at]!;
    const end = offsets[at + target.length - 1]! + 1;
    if (
      isInsideWord(passage[start - 1], passage[start]) ||
      isInsideWord(passage[end - 1], passage[end])
    )
      continue;
    return { start, end: end + (fullStop.exec(passage.slice(end, end + 3))?.[0].length ?? 0) };
  }
  return null;
}

/**
 * `words` from the start of each of its sentences to the end: starting with all of them, ending
 * with the last one.
 */
function sentenceEnds(words: string): string[] {
  return [...new Intl.Segmenter(undefined, { granularity: "sentence" }).segment(words)].map(
    ({ index }) => words.slice(index),
  );
}

/**
 * Finds the words before a citation in a passage: all of them, or as many of the last sentences as
 * occur verbatim, or the quoted text in the last one. Ignores white space and Markdown. null: they
 * aren't from this passage.
 */
export function findQuote(passage: string, words: string): Range | null {
  const text = normalize(passage);
  const ends = sentenceEnds(words.trim());
  for (const end of ends) {
    const found = findIn(passage, text, end);
    if (found) return found;
  }
  const quoted = [...(ends.at(-1) ?? "").matchAll(/["“„«‹「]([^"“”„»›」]+)["”“»›」]/gu)].map(
    (match) => match[1]!,
  );
  for (const each of quoted.sort((a, b) => b.length - a.length)) {
    const found = findIn(passage, text, each);
    if (found) return found;
  }
  return null;
}

/**
 * Ranges of several quotes as character offsets in the document, sorted and merged. For a
 * paraphrased claim, the sentence that best supports it.
 */
export function findQuotes(passage: string, offset: number, quotes: readonly string[]): Range[] {
  const found = quotes
    .flatMap((words) => findQuote(passage, words) ?? findSupport(passage, words) ?? [])
    .sort((a, b) => a.start - b.start);
  const ranges: Range[] = [];
  for (const range of found) {
    const last = ranges.at(-1);
    if (last && range.start <= last.end) last.end = Math.max(last.end, range.end);
    else ranges.push({ ...range });
  }
  return ranges.map(({ start, end }) => ({ start: start + offset, end: end + offset }));
}
