import {
  isAsciiWord,
  mayContinue,
  readCompound,
  removeInvisible,
  spacedWord,
  type CompoundWord,
} from "./compound-words.ts";
import { fold } from "./fold.ts";
import { bigrams } from "./script-forms.ts";

const unspacedWords = new Intl.Segmenter("zh", { granularity: "word" });
/** Weights of a Korean word's leading bigrams. */
const hangulWeights = [1, 0.4];
/** Korean particles and endings; a bigram that reaches into one is not a word. */
const hangulEnding =
  /(?:에서는|에서|으로|부터|까지|에게|한테|보다|처럼|이나|이란|인가요|인가|나요|까요|습니까|입니까|니까|합니까|하나요|되나요|은|는|이|가|을|를|의|에|로|와|과|도|만|인|한|된|한다|된다|하는|되는)$/u;
const seamWeight = 0.08;

/**
 * Weight of each bigram in a run: full inside a dictionary word, low across two words or in an
 * ending.
 */
function bigramWeights(run: string, pairs: { start: number; end: number }[]): number[] {
  if (/^\p{sc=Hangul}/u.test(run)) {
    const body = run.length - (hangulEnding.exec(run.slice(1))?.[0].length ?? 0);
    return pairs.map(({ end }, place) =>
      end > body ? seamWeight : (hangulWeights[place] ?? seamWeight),
    );
  }
  const wordAt = new Map<number, number>();
  for (const { segment, index } of unspacedWords.segment(run))
    for (let at = index; at < index + segment.length; at++) wordAt.set(at, index);
  return pairs.map(({ start, end }) =>
    wordAt.get(start) === wordAt.get(end - 1) && !/^[ぁ-ん]+$/u.test(run.slice(start, end))
      ? 1
      : seamWeight,
  );
}

const cjk = "\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\p{sc=Hangul}\\u30fc";
const complex = "\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}\\p{sc=Myanmar}";
/** Numbers whose thousands are separated by neither points nor commas: 1'234'567.89. */
const groupedDigits = "\\p{Nd}{1,3}(?:['’\\u00a0\\u202f]\\p{Nd}{3})+(?!\\p{Nd})(?:[.,]\\p{Nd}+)?";
/**
 * Runs of one kind: CJK (split into bigrams), scripts without spaces, numbers, the sign of a
 * paragraph, and all other words.
 */
const runs = new RegExp(
  `([${cjk}]+)|([${complex}\\p{M}]+)|(${groupedDigits}|\\p{Nd}+(?:[.,]\\p{Nd}+)+)|(§)|${spacedWord}`,
  "uy",
);
const segmenter = new Intl.Segmenter("th", { granularity: "word" });
/** Longer terms (hashes, base64) are truncated. */
export const maxTermLength = 64;

/** Numbers whose thousands and decimals use different separators: 1.234.567,89. */
const grouped = /^(\d{1,3}(?:([.,])\d{3})(?:\2\d{3})*)(?:(?!\2)[.,](\d+))?$/;
/** A number as a term: without separators between thousands, with a point before decimals. */
export function numberTerm(written: string): string {
  const plain = fold(written.replace(/['’\u00a0\u202f]/g, ""));
  const [, whole, , decimals] = grouped.exec(plain) ?? [];
  const term =
    whole === undefined
      ? plain.replaceAll(",", ".")
      : whole.replace(/[.,]/g, "") + (decimals === undefined ? "" : `.${decimals}`);
  return term.slice(0, maxTermLength);
}

/** The parts of a text. Positions refer to the original spelling. */
export interface WordVisitor {
  /** A word as written, without invisible characters. */
  word(word: string, start: number, end: number): void;
  /** A number or, in scripts without spaces, a term; `weight` is set unless all weigh the same. */
  term(term: string, start: number, end: number, weight?: number): void;
  compound(compound: CompoundWord): void;
}

const codeOf = (sign: string): number => sign.charCodeAt(0);
const space = codeOf(" "),
  zero = codeOf("0"),
  nine = codeOf("9");
const isDigit = (code: number): boolean => code >= zero && code <= nine;
const decimalMarks = new Set([codeOf("."), codeOf(","), codeOf("'")]);
/** Digits in the groups of card and bank account numbers. */
const groupLength = 4;

/**
 * Splits a text into words, bigrams, numbers and compounds. Words in ASCII, most of a typical text,
 * are found without the expressions, which are slower.
 */
export function walkWords(text: string, visitor: WordVisitor, weighing = false): void {
  for (let at = 0; at < text.length;) {
    const code = text.charCodeAt(at);
    if (code < 0x80) {
      if (isAsciiWord[code] === 0) {
        const compound = startsCompound(text, at, code) ? readCompound(text, at) : null;
        if (compound !== null) visitor.compound(compound);
        at = compound?.end ?? at + 1;
        continue;
      }
      let end = at + 1;
      let next = text.charCodeAt(end);
      while (next < 0x80 && isAsciiWord[next] === 1) next = text.charCodeAt(++end);
      const mayJoin =
        next === space || code === zero ? mayBeGroup(text, at, end) : mayContinue(text, end);
      const compound = mayJoin ? readCompound(text, at) : null;
      if (compound !== null) {
        visitor.compound(compound);
        at = compound.end;
        continue;
      }
      if (!(next >= 0x80) && !(isDigit(code) && decimalMarks.has(next))) {
        visitor.word(text.slice(at, end), at, end);
        at = end;
        continue;
      }
    }
    runs.lastIndex = at;
    const match = runs.exec(text);
    at = match === null ? at + 1 : walkRun(text, match, visitor, weighing);
  }
}

const startsCompound = (text: string, at: number, code: number): boolean =>
  (code === point || code === plus) &&
  startOfCompound.test(text.slice(Math.max(0, at - 1), at + 2));
const point = codeOf("."),
  plus = codeOf("+");
/** `.NET` and a phone number with its country code. */
const startOfCompound = /^\W?(?:\.[A-Z]|\+\d)/;

/** Whether a word may be the first group of a phone, card or account number. */
function mayBeGroup(text: string, at: number, end: number): boolean {
  if (text.charCodeAt(at) === zero) return true;
  if (end - at !== groupLength || !isDigit(text.charCodeAt(end - 1))) return false;
  const after = text.charCodeAt(end + 1);
  return after <= capitalZ && isAsciiWord[after] === 1;
}
const capitalZ = codeOf("Z");

/** Returns where the run, or the compound that starts with it, ends. */
function walkRun(
  text: string,
  match: RegExpExecArray,
  visitor: WordVisitor,
  weighing: boolean,
): number {
  const [run, pairs, unspaced, digits, sign] = match;
  const start = match.index;
  const end = start + run.length;
  if (pairs !== undefined) walkPairs(run, start, visitor, weighing);
  else if (unspaced !== undefined) {
    for (const { segment, index, isWordLike } of segmenter.segment(unspaced))
      if (isWordLike)
        visitor.term(
          segment.normalize("NFKC").slice(0, maxTermLength),
          start + index,
          start + index + segment.length,
        );
  } else {
    const compound =
      sign !== undefined || mayContinue(text, end) ? readCompound(text, start) : null;
    if (compound !== null) {
      visitor.compound(compound);
      return compound.end;
    }
    if (digits !== undefined) visitor.term(numberTerm(digits), start, end);
    else if (sign === undefined) visitor.word(removeInvisible(run), start, end);
  }
  return end;
}

function walkPairs(run: string, start: number, visitor: WordVisitor, weighing: boolean): void {
  const normal = run.normalize("NFKC");
  const found = bigrams(normal);
  const weights = weighing ? bigramWeights(normal, found) : [];
  for (const [place, pair] of found.entries())
    visitor.term(
      pair.term.toLowerCase(),
      start + Math.min(pair.start, run.length - 1),
      start + Math.min(pair.end, run.length),
      weights[place],
    );
  // One-syllable Korean words carry particles, so the first syllable is also a term.
  if (run.length === 2 && /^\p{sc=Hangul}/u.test(run))
    visitor.term(run.slice(0, 1), start, start + 1);
}
