import { fold } from "./fold.ts";
import {
  detectLanguage,
  scriptOf,
  stem,
  stemmedLanguages,
  stopWords,
  type Script,
} from "./language.ts";
import { arabicForms, bigrams, hebrewForms, normaliseArabic } from "./script-forms.ts";

/**
 * A term and where it stands in the analysed text. Several terms may share a place: forms of the
 * same word.
 */
export interface AnalysedTerm {
  term: string;
  start: number;
  end: number;
}

/** One word of a question: any of its forms in a chunk is a hit. */
export interface QuestionWord {
  forms: string[];
  start: number;
  end: number;
  /**
   * Below 1 for a pair of signs that is rather an ending, or the seam of two words, than a word.
   * Default 1.
   */
  weight?: number;
  /**
   * A name or number: what does not hold it is hardly about it, as such words are not said
   * otherwise.
   */
  isExact?: boolean;
  /** The question consists of such words alone ("And who does it?"). */
  isStop?: boolean;
}

const cjk = "\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\p{sc=Hangul}\\u30fc";
const complex = "\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}\\p{sc=Myanmar}";
/**
 * Runs of one kind: signs that are paired, scripts without spaces, numbers, and words of everything
 * else.
 */
const runs = new RegExp(
  `([${cjk}]+)|([${complex}\\p{M}]+)|(\\p{Nd}+(?:[.,]\\p{Nd}+)+)|(?:(?![${cjk}${complex}])[\\p{L}\\p{M}\\p{N}])+`,
  "gu",
);
const segmenter = new Intl.Segmenter("th", { granularity: "word" });
/** Longer terms (hashes, addresses in base64) are cut. */
const maxTermLength = 64;
/**
 * Words remembered for each language: text repeats itself, and folding and stemming are what costs.
 */
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

/** The Turkish capital İ becomes an i with a second dot otherwise. */
const lowerCase = (word: string): string =>
  word.normalize("NFKC").toLowerCase().replaceAll("i\u0307", "i");

const caches = new Map<string, Map<string, string[]>>();
/** Forms a word is indexed by; none for a stop word. */
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
  // Vietnamese writes meaning with marks: found with and without them.
  if (language === "vi") return lower === folded ? [folded] : [folded, lower];
  return [stem(lower, language)];
}

let arabicStops: ReadonlySet<string> | undefined;
function isArabicStop(word: string): boolean {
  arabicStops ??= new Set([...stopWords("ar"), ...stopWords("fa")].map(normaliseArabic));
  return arabicStops.has(normaliseArabic(fold(word)));
}

const number = (written: string): string =>
  /^\d{1,3}(?:[.,]\d{3})+$/.test(written)
    ? written.replace(/[.,]/g, "")
    : written.replaceAll(",", ".");

const unspacedWords = new Intl.Segmenter("zh", { granularity: "word" });
/** Weight of the pairs of a Korean word from its front. */
const hangulWeights = [1, 0.4];
/**
 * Particles and endings that a question's words carry; a pair that reaches into them is no word.
 */
const hangulEnding =
  /(?:에서는|에서|으로|부터|까지|에게|한테|보다|처럼|이나|이란|인가요|인가|나요|까요|습니까|입니까|니까|합니까|하나요|되나요|은|는|이|가|을|를|의|에|로|와|과|도|만|인|한|된|한다|된다|하는|되는)$/u;
const seamWeight = 0.08;

/**
 * How far each pair of a run is a word: whole inside a word of the dictionary, little across two of
 * them or in endings.
 */
function pairWeights(run: string, pairs: { start: number; end: number }[]): number[] {
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

/** Cuts a text into words, bigrams and numbers and gives each one's forms by `formsOf`. */
function* walk(
  text: string,
  formsOf: (word: string) => string[],
  weighing = false,
): Generator<QuestionWord> {
  for (const match of text.matchAll(runs)) {
    const [run, pairs, unspaced, digits] = match;
    const start = match.index;
    if (pairs !== undefined) {
      const hangul = /^\p{sc=Hangul}/u.test(run);
      const normal = run.normalize("NFKC");
      const found = bigrams(normal);
      const weights = weighing ? pairWeights(normal, found) : [];
      for (const [place, pair] of found.entries()) {
        yield {
          forms: [pair.term.toLowerCase()],
          start: start + Math.min(pair.start, run.length - 1),
          end: start + Math.min(pair.end, run.length),
          ...(weighing && { weight: weights[place] }),
        };
      }
      // One-syllable words carry particles in Korean: the first syllable is a term of its own.
      if (hangul && run.length === 2) yield { forms: [run.slice(0, 1)], start, end: start + 1 };
    } else if (unspaced !== undefined) {
      for (const { segment, index, isWordLike } of segmenter.segment(unspaced)) {
        if (isWordLike)
          yield {
            forms: [segment.normalize("NFKC").slice(0, maxTermLength)],
            start: start + index,
            end: start + index + segment.length,
          };
      }
    } else if (digits !== undefined) {
      yield {
        forms: [number(fold(digits)).slice(0, maxTermLength)],
        start,
        end: start + run.length,
      };
    } else {
      const forms = formsOf(run);
      if (forms.length) yield { forms, start, end: start + run.length };
    }
  }
}

/**
 * Terms of a text in its order, with their places; stop words are left out. `language` as
 * `detectLanguage` found it
 * for the whole document; without it (undefined) it is detected here, null means that it is not
 * known.
 */
export function analyse(text: string, options: { language?: string | null } = {}): AnalysedTerm[] {
  const language = (options.language === undefined ? detectLanguage(text) : options.language) ?? "";
  const terms: AnalysedTerm[] = [];
  for (const { forms, start, end } of walk(text, (word) => indexForms(word, language)))
    for (const term of forms) terms.push({ term, start, end });
  return terms;
}

/** The same without places. */
export function analyseTerms(text: string, options: { language?: string | null } = {}): string[] {
  return analyse(text, options).map(({ term }) => term);
}

/** Pairs that only ask, in scripts without spaces between words. */
const askingPairs = new Set(
  ["zh", "ja", "ko"]
    .flatMap((language) => [...stopWords(language)])
    .flatMap((word) => bigrams(word).map(({ term }) => term)),
);
const askingSigns =
  /^[的了吗呢吧是在有和与及之其也都很哪几谁么为]|[的了吗呢吧是哪几谁么？]$|^[ぁ-ん]{2}$/u;

/**
 * The words of a question. Its language is uncertain when it is short, so each word carries its
 * forms in all
 * `languages` that the searched chunks are written in; what fits none is harmless, as no chunk
 * holds it.
 */
export function analyseQuestion(
  question: string,
  options: { languages?: readonly string[] } = {},
): QuestionWord[] {
  const own = detectLanguage(question);
  const languages = [
    ...new Set([...(options.languages ?? stemmedLanguages), ...(own ? [own] : [])]),
  ];
  // A few words may look like any language: those of the texts count as well.
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
      // Typed without its marks the word may have another stem.
      if (lower === folded) forms.add(stem(folded, language));
    }
    return [...forms].map((form) => form.slice(0, maxTermLength));
  };
  const all = [...walk(question, formsOf, true)];
  const carrying = all.filter(
    (word) =>
      !stops.has(word.forms[0]!) &&
      !askingPairs.has(word.forms[0]!) &&
      !(word.forms[0]!.length <= 2 && askingSigns.test(word.forms[0]!)),
  );
  const kept = carrying.length ? carrying : all.map((word) => ({ ...word, isStop: true }));
  // The same word twice says no more than once.
  return weighNames(
    question,
    [...new Map(kept.map((word) => [word.forms[0]!, word])).values()],
    own,
  );
}

/** What each further word of a name adds to its weight. */
const furtherName = 0.3;
/**
 * Words with a capital inside a line; "Anselm Brodie" is one thing asked about and weighs little
 * more than one word.
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
  // In a title or shouting all have one, in German every noun.
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
