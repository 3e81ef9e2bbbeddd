import { findSupport } from "./find-support.ts";
import type { Range } from "./range.ts";

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
 * `words` from the start of each of its sentences to the end: all of them first, the last sentence
 * last.
 */
function sentenceEnds(words: string): string[] {
  return [...new Intl.Segmenter(undefined, { granularity: "sentence" }).segment(words)].map(
    ({ index }) => words.slice(index),
  );
}

/**
 * Finds the words before a citation in a passage: all of them, or as many of the last sentences as
 * occur verbatim, or the quoted text in the last one. Ignores white space and Markdown. null: they
 * are not from this passage.
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
 * Ranges of several quotes as character offsets in the document, sorted and merged. Of a claim in
 * other words, the sentence that best supports it.
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
