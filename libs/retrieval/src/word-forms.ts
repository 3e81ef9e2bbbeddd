import { splitHumps } from "./compound-words.ts";
import { fold } from "./fold.ts";
import { scriptOf, stem, stopWords, type Script } from "./language.ts";
import { arabicForms, hebrewForms, normaliseArabic } from "./script-forms.ts";
import { maxTermLength, numberTerm } from "./walk-words.ts";

/**
 * Maximum words cached per language: text is repetitive, and folding and stemming dominate the
 * cost.
 */
const cacheSize = 50_000;

type Kind = "arabic" | "hebrew" | Script | "other";
export function kindOf(word: string): Kind {
  const code = word.charCodeAt(0);
  if (
    code < 0x250 ||
    (code >= 0x1e00 && code < 0x1f00) ||
    (code >= 0xfb00 && code < 0xfb07) ||
    (code >= 0xff21 && code <= 0xff5a)
  )
    return "latin";
  if (code >= 0x400 && code < 0x530) return "cyrillic";
  if ((code >= 0x370 && code < 0x400) || (code >= 0x1f00 && code < 0x2000)) return "greek";
  if (code >= 0x590 && code < 0x600) return "hebrew";
  if (
    (code >= 0x600 && code < 0x780) ||
    (code >= 0x8a0 && code < 0x900) ||
    (code >= 0xfb50 && code < 0xff00)
  )
    return "arabic";
  return "other";
}

/** Otherwise the Turkish capital İ becomes an i with a second dot. */
export const lowerCase = (word: string): string =>
  word.normalize("NFKC").toLowerCase().replaceAll("i\u0307", "i");

/** The forms under which a word is indexed. */
export interface IndexedWord {
  /** Empty for a stop word. */
  forms: string[];
  /** Forms of the words that it joins without a separator: computeTideTable. */
  parts: string[];
}
const caches = new Map<string, Map<string, IndexedWord>>();
export function cacheOf(language: string): Map<string, IndexedWord> {
  let cache = caches.get(language);
  if (!cache) caches.set(language, (cache = new Map()));
  return cache;
}
/** The forms under which a word is indexed, from the cache of its language (`cacheOf`). */
export function indexWord(word: string, language: string, cache = cacheOf(language)): IndexedWord {
  let indexed = cache.get(word);
  if (indexed === undefined) {
    const forms = makeIndexForms(word, language);
    const parts = splitHumps(word).flatMap((part) => makeIndexForms(part, language));
    indexed = { forms: forms.map(truncate), parts: parts.map(truncate) };
    if (cache.size >= cacheSize) cache.clear();
    cache.set(word, indexed);
  }
  return indexed;
}
export const truncate = (form: string): string => form.slice(0, maxTermLength);

function makeIndexForms(word: string, language: string): string[] {
  const kind = kindOf(word);
  if (kind === "arabic") return isArabicStop(word) ? [] : arabicForms(word.normalize("NFKC"));
  if (kind === "hebrew") return stopWords("he").has(fold(word)) ? [] : hebrewForms(word);
  const folded = fold(word);
  if (folded.length < 2 && !/\p{N}/u.test(folded)) return [];
  if (!language || kind !== scriptOf(language)) return [folded];
  if (stopWords(language).has(folded)) return [];
  const lower = lowerCase(word);
  // Vietnamese diacritics carry meaning, so words are indexed both with and without them.
  if (language === "vi") return lower === folded ? [folded] : [folded, lower];
  return [stem(lower, language)];
}

let arabicStops: ReadonlySet<string> | undefined;
function isArabicStop(word: string): boolean {
  arabicStops ??= new Set([...stopWords("ar"), ...stopWords("fa")].map(normaliseArabic));
  return arabicStops.has(normaliseArabic(fold(word)));
}

export const noForms: IndexedWord = { forms: [], parts: [] };

export const isNumber = (written: string): boolean =>
  !/^[A-Za-z]/.test(written) && /^\p{Nd}+(?:[.,]\p{Nd}+)*$/u.test(written);
/** The forms under which a part of a compound is indexed. */
export const indexPart = (part: string, language: string): IndexedWord =>
  isNumber(part) ? { forms: [numberTerm(part)], parts: [] } : indexWord(part, language);
/** Whether a whole is just a word; characters that belong to it are kept: `c++`, r&d. */
export const isWordOnly = (whole: string): boolean =>
  /^[A-Za-z0-9]+$/.test(whole) || /^[\p{L}\p{M}\p{N}]+$/u.test(whole);
export const indexWhole = (whole: string, language: string): string[] =>
  isWordOnly(whole) ? indexWord(whole, language).forms : [fold(whole)];

/**
 * Whether a single letter names something (vitamin C, in R): a capital within a sentence, or one
 * that is neither a word of the language nor an initial.
 */
export function isLetterName(text: string, at: number, language: string): boolean {
  const letter = text[at]!;
  const folded = fold(letter);
  if (letter === folded || !/\p{Lu}/u.test(letter)) return false;
  if (/[\p{Ll}\p{N}][ \u00a0]$/u.test(text.slice(Math.max(0, at - 2), at)))
    return folded !== "i" || (language !== "en" && language !== "");
  return language !== "" && text[at + 1] !== "." && !stopWords(language).has(folded);
}
