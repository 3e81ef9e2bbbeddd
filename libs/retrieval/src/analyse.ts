import { englishVariants } from "./english-variants.ts";
import { fold } from "./fold.ts";
import {
  detectLanguage,
  scriptOf,
  stem,
  stemmedLanguages,
  stopWords,
  type Script,
} from "./language.ts";
import { findFillers } from "./question-fillers.ts";
import { arabicForms, bigrams, hebrewForms, normaliseArabic } from "./script-forms.ts";
import { maxTermLength, walkWords } from "./walk-words.ts";

/**
 * A term and its position in the analysed text. Several terms may share a position: forms of the
 * same word.
 */
export interface AnalysedTerm {
  term: string;
  start: number;
  end: number;
}

/** One word of a question; any of its forms matches. */
export interface QuestionWord {
  forms: string[];
  /** Other spellings and irregular forms, for texts that have none of its forms. English only. */
  variants?: string[];
  start: number;
  end: number;
  /**
   * Below 1 for a bigram that is more likely an ending, or spans two words, than a word. Default 1.
   */
  weight?: number;
  /**
   * A name or number. A text without it is unlikely to be relevant, because such words have no
   * synonyms.
   */
  isExact?: boolean;
  /** The question consists of stop words and fillers only ("And who does it?", "What else?"). */
  isStop?: boolean;
  /** How often the question contains it. Default 1. */
  count?: number;
}

/** Words cached per language: text is repetitive, and folding and stemming dominate the cost. */
const cacheSize = 50_000;

type Kind = "arabic" | "hebrew" | Script | "other";
function kindOf(word: string): Kind {
  const code = word.charCodeAt(0);
  if (code < 0x250 || (code >= 0x1e00 && code < 0x1f00) || (code >= 0xff21 && code <= 0xff5a))
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
const lowerCase = (word: string): string =>
  word.normalize("NFKC").toLowerCase().replaceAll("i\u0307", "i");

const caches = new Map<string, Map<string, string[]>>();
/** The forms a word is indexed by; none for a stop word. */
function indexForms(word: string, language: string): string[] {
  let cache = caches.get(language);
  if (!cache) caches.set(language, (cache = new Map()));
  let forms = cache.get(word);
  if (forms === undefined) {
    forms = makeIndexForms(word, language).map((form) => form.slice(0, maxTermLength));
    if (cache.size >= cacheSize) cache.clear();
    cache.set(word, forms);
  }
  return forms;
}

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

const languageOf = (text: string, language: string | null | undefined): string =>
  (language === undefined ? detectLanguage(text) : language) ?? "";

/**
 * Terms of a text with their positions, in order and without stop words. `language` is what
 * `detectLanguage` returned for the whole document: null means unknown, and if omitted it is
 * detected here.
 */
export function analyse(text: string, options: { language?: string | null } = {}): AnalysedTerm[] {
  const language = languageOf(text, options.language);
  const terms: AnalysedTerm[] = [];
  walkWords(
    text,
    (word) => indexForms(word, language),
    (forms, start, end) => {
      for (const term of forms) terms.push({ term, start, end });
    },
  );
  return terms;
}

/** Like `analyse`, without positions. */
export function analyseTerms(text: string, options: { language?: string | null } = {}): string[] {
  const language = languageOf(text, options.language);
  const terms: string[] = [];
  walkWords(
    text,
    (word) => indexForms(word, language),
    (forms) => {
      for (const term of forms) terms.push(term);
    },
  );
  return terms;
}

/** Bigrams that only ask a question, in scripts without spaces between words. */
const askingPairs = new Set(
  ["zh", "ja", "ko"]
    .flatMap((language) => [...stopWords(language)])
    .flatMap((word) => bigrams(word).map(({ term }) => term)),
);
const askingSigns =
  /^[的了吗呢吧是在有和与及之其也都很哪几谁么为]|[的了吗呢吧是哪几谁么？]$|^[ぁ-ん]{2}$/u;

/**
 * The words of a question. The language of a short question is uncertain, so each word gets its
 * forms in all `languages` of the searched chunks; a wrong form is harmless because no chunk
 * contains it.
 */
export function analyseQuestion(
  question: string,
  options: { languages?: readonly string[] } = {},
): QuestionWord[] {
  const own = detectLanguage(question);
  const languages = [
    ...new Set([...(options.languages ?? stemmedLanguages), ...(own ? [own] : [])]),
  ];
  // A few words may look like any language, so the languages of the texts count as well.
  const isOwnLikely =
    own !== null && (!options.languages?.length || options.languages.includes(own));
  const stops = isOwnLikely
    ? stopWords(own)
    : new Set(
        [own ?? "en", ...(options.languages ?? [])].flatMap((language) => [...stopWords(language)]),
      );
  const formsOf = (word: string): string[] => {
    const kind = kindOf(word);
    if (kind === "arabic" || kind === "hebrew") return indexForms(word, "");
    const lower = lowerCase(word);
    const folded = fold(word);
    if (folded.length < 2 && !/\p{N}/u.test(folded)) return [];
    const forms = new Set([folded]);
    if (lower !== folded && languages.includes("vi")) forms.add(lower);
    for (const language of languages) {
      if (scriptOf(language) !== kind) continue;
      forms.add(stem(lower, language));
      // A word typed without diacritics may have a different stem.
      if (lower === folded) forms.add(stem(folded, language));
    }
    return [...forms].map((form) => form.slice(0, maxTermLength));
  };
  const all: QuestionWord[] = [];
  walkWords(
    question,
    formsOf,
    (found, start, end, weight) =>
      all.push({ forms: found, start, end, ...(weight !== undefined && { weight }) }),
    true,
  );
  const isFiller = findFillers(question);
  const carrying = all.filter(
    (word) =>
      !isFiller(word) &&
      !stops.has(word.forms[0]!) &&
      !askingPairs.has(word.forms[0]!) &&
      !(word.forms[0]!.length <= 2 && askingSigns.test(word.forms[0]!)),
  );
  // Other languages have words that are spelled like English ones.
  const isEnglish = (own ?? "en") === "en" && languages.includes("en");
  if (isEnglish) for (const word of carrying) addVariants(word);
  const kept = carrying.length ? carrying : all.map((word) => ({ ...word, isStop: true }));
  return weighNames(question, mergeRepeated(kept), own);
}

function addVariants(word: QuestionWord): void {
  const variants = englishVariants(word.forms[0]!).filter((form) => !word.forms.includes(form));
  if (variants.length > 0) word.variants = variants;
}

/** Each word once, where it last occurs, with the number of its occurrences. */
function mergeRepeated(words: QuestionWord[]): QuestionWord[] {
  const merged = new Map<string, QuestionWord>();
  for (const word of words) {
    const before = merged.get(word.forms[0]!);
    merged.set(
      word.forms[0]!,
      before === undefined ? word : { ...word, count: (before.count ?? 1) + 1 },
    );
  }
  return [...merged.values()];
}

/** Weight that each further word of a name adds. */
const furtherName = 0.3;
/**
 * Weighs a run of capitalised words within a line as one name: "Anselm Brodie" is a single subject
 * and weighs little more than one word. Marks names and numbers as exact.
 */
function weighNames(
  question: string,
  words: QuestionWord[],
  language: string | null,
): QuestionWord[] {
  const isCapital = (word: QuestionWord): boolean =>
    /^\p{Lu}/u.test(question.slice(word.start, word.end)) &&
    word.start > 0 &&
    question[word.start - 1] !== "\n";
  // Capitals mean nothing in a title, in all-caps text or in German, where every noun has one.
  const capitals = words.filter(isCapital).length;
  const telling = capitals < words.length || words.length <= 2;
  const weighed: QuestionWord[] = [];
  for (let first = 0; first < words.length;) {
    let after = first + 1;
    if (isCapital(words[first]!))
      while (
        after < words.length &&
        isCapital(words[after]!) &&
        /^['’]?s?[ \u00a0-]$/.test(question.slice(words[after - 1]!.end, words[after]!.start))
      )
        after++;
    const length = after - first;
    for (; first < after; first++) {
      const word = words[first]!;
      const isExact =
        /^\p{N}|\p{L}\p{N}/u.test(question.slice(word.start, word.end)) ||
        (telling && language !== "de" && isCapital(word));
      weighed.push({
        ...word,
        ...(length > 1 && {
          weight: ((word.weight ?? 1) * (1 + furtherName * (length - 1))) / length,
        }),
        ...(isExact && { isExact }),
      });
    }
  }
  return weighed;
}
