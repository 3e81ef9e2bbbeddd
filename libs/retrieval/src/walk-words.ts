import { bigramWeights } from "./bigram-weights.ts";
import { fold } from "./fold.ts";
import { bigrams } from "./script-forms.ts";

const cjk = "\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\p{sc=Hangul}\\u30fc";
const complex = "\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}\\p{sc=Myanmar}";
/**
 * Runs of one kind: CJK (split into bigrams), scripts without spaces, numbers, and all other words.
 */
const runs = new RegExp(
  `([${cjk}]+)|([${complex}\\p{M}]+)|(\\p{Nd}+(?:[.,]\\p{Nd}+)+)|(?:(?![${cjk}${complex}])[\\p{L}\\p{M}\\p{N}])+`,
  "gu",
);
const segmenter = new Intl.Segmenter("th", { granularity: "word" });
/** Longer terms (hashes, base64) are truncated. */
export const maxTermLength = 64;

const number = (written: string): string =>
  /^\d{1,3}(?:[.,]\d{3})+$/.test(written)
    ? written.replace(/[.,]/g, "")
    : written.replaceAll(",", ".");

/** Receives the forms of a word, bigram or number. `weight` is missing unless it was asked for. */
type Visit = (forms: string[], start: number, end: number, weight?: number) => void;

const isAsciiWord = (code: number): boolean =>
  (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || isAsciiDigit(code);
const isAsciiDigit = (code: number): boolean => code >= 48 && code <= 57;
const isDecimalMark = (code: number): boolean => code === 44 || code === 46;

/**
 * Splits a text into words, bigrams and numbers; `formsOf` returns the forms of each word. Words in
 * ASCII, most of a typical text, are found without the expression, which is slower.
 */
export function walkWords(
  text: string,
  formsOf: (word: string) => string[],
  visit: Visit,
  weighing = false,
): void {
  for (let at = 0; at < text.length;) {
    const code = text.charCodeAt(at);
    if (code < 0x80 && !isAsciiWord(code)) {
      at++;
      continue;
    }
    let end = at;
    while (isAsciiWord(text.charCodeAt(end))) end++;
    const next = text.charCodeAt(end);
    if (code < 0x80 && !(next >= 0x80) && !(isAsciiDigit(code) && isDecimalMark(next))) {
      const forms = formsOf(text.slice(at, end));
      if (forms.length > 0) visit(forms, at, end);
      at = end;
      continue;
    }
    runs.lastIndex = at;
    const match = runs.exec(text);
    if (match === null) return;
    walkRun(match, formsOf, visit, weighing);
    at = match.index + match[0].length;
  }
}

function walkRun(
  match: RegExpExecArray,
  formsOf: (word: string) => string[],
  visit: Visit,
  weighing: boolean,
): void {
  const [run, pairs, unspaced, digits] = match;
  const start = match.index;
  const end = start + run.length;
  if (pairs !== undefined) {
    const hangul = /^\p{sc=Hangul}/u.test(run);
    const normal = run.normalize("NFKC");
    const found = bigrams(normal);
    const weights = weighing ? bigramWeights(normal, found) : [];
    for (const [place, pair] of found.entries())
      visit(
        [pair.term.toLowerCase()],
        start + Math.min(pair.start, run.length - 1),
        start + Math.min(pair.end, run.length),
        weights[place],
      );
    // One-syllable Korean words carry particles, so the first syllable is also a term.
    if (hangul && run.length === 2) visit([run.slice(0, 1)], start, start + 1);
  } else if (unspaced !== undefined) {
    for (const { segment, index, isWordLike } of segmenter.segment(unspaced))
      if (isWordLike)
        visit(
          [segment.normalize("NFKC").slice(0, maxTermLength)],
          start + index,
          start + index + segment.length,
        );
  } else if (digits !== undefined) {
    visit([number(fold(digits)).slice(0, maxTermLength)], start, end);
  } else {
    const forms = formsOf(run);
    if (forms.length > 0) visit(forms, start, end);
  }
}
