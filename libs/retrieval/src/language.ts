import { stemmer as danish } from "@orama/stemmers/danish";
import { stemmer as dutch } from "@orama/stemmers/dutch";
import { stemmer as english } from "@orama/stemmers/english";
import { stemmer as finnish } from "@orama/stemmers/finnish";
import { stemmer as french } from "@orama/stemmers/french";
import { stemmer as german } from "@orama/stemmers/german";
import { stemmer as greek } from "@orama/stemmers/greek";
import { stemmer as hungarian } from "@orama/stemmers/hungarian";
import { stemmer as indonesian } from "@orama/stemmers/indonesian";
import { stemmer as italian } from "@orama/stemmers/italian";
import { stemmer as lithuanian } from "@orama/stemmers/lithuanian";
import { stemmer as norwegian } from "@orama/stemmers/norwegian";
import { stemmer as portuguese } from "@orama/stemmers/portuguese";
import { stemmer as romanian } from "@orama/stemmers/romanian";
import { stemmer as russian } from "@orama/stemmers/russian";
import { stemmer as spanish } from "@orama/stemmers/spanish";
import { stemmer as swedish } from "@orama/stemmers/swedish";
import { stemmer as turkish } from "@orama/stemmers/turkish";
import { stopwords as danishStops } from "@orama/stopwords/danish";
import { stopwords as dutchStops } from "@orama/stopwords/dutch";
import { stopwords as englishStops } from "@orama/stopwords/english";
import { stopwords as finnishStops } from "@orama/stopwords/finnish";
import { stopwords as frenchStops } from "@orama/stopwords/french";
import { stopwords as germanStops } from "@orama/stopwords/german";
import { stopwords as greekStops } from "@orama/stopwords/greek";
import { stopwords as hungarianStops } from "@orama/stopwords/hungarian";
import { stopwords as indonesianStops } from "@orama/stopwords/indonesian";
import { stopwords as italianStops } from "@orama/stopwords/italian";
import { stopwords as lithuanianStops } from "@orama/stopwords/lithuanian";
import { stopwords as norwegianStops } from "@orama/stopwords/norwegian";
import { stopwords as portugueseStops } from "@orama/stopwords/portuguese";
import { stopwords as romanianStops } from "@orama/stopwords/romanian";
import { stopwords as russianStops } from "@orama/stopwords/russian";
import { stopwords as spanishStops } from "@orama/stopwords/spanish";
import { stopwords as swedishStops } from "@orama/stopwords/swedish";
import { stopwords as turkishStops } from "@orama/stopwords/turkish";
import { stopwords as ukrainianStops } from "@orama/stopwords/ukrainian";
import { detectAll } from "tinyld/light";
import { fold } from "./fold.ts";
import { extraStopWords } from "./stop-words.ts";

export type Script = "latin" | "cyrillic" | "greek";
interface Language {
  script: Script;
  stem: (word: string) => string;
  stops: string[];
}

/**
 * Turkish stacks endings that the stemmer only partly knows; five letters are usually enough to
 * distinguish stems.
 */
const firstFive = (word: string): string => word.slice(0, 5);
/* Spanish is stemmed twice, so that "ciudades" (stem "ciudad") and "ciudad" (stem "ciud") match. */
const same = (word: string): string => word;
/**
 * Inflected languages with a stemmer. Others (Arabic, Hebrew, Persian, Han, Kana, Hangul,
 * Vietnamese …) are handled by script.
 */
const languages: Record<string, Language> = {
  en: { script: "latin", stem: english, stops: englishStops },
  de: { script: "latin", stem: german, stops: germanStops },
  fr: { script: "latin", stem: french, stops: frenchStops },
  es: { script: "latin", stem: (word) => spanish(spanish(word)), stops: spanishStops },
  it: { script: "latin", stem: italian, stops: italianStops },
  pt: { script: "latin", stem: portuguese, stops: portugueseStops },
  nl: { script: "latin", stem: dutch, stops: dutchStops },
  sv: { script: "latin", stem: swedish, stops: swedishStops },
  no: { script: "latin", stem: norwegian, stops: norwegianStops },
  da: { script: "latin", stem: danish, stops: danishStops },
  fi: { script: "latin", stem: finnish, stops: finnishStops },
  hu: { script: "latin", stem: hungarian, stops: hungarianStops },
  ro: { script: "latin", stem: romanian, stops: romanianStops },
  tr: { script: "latin", stem: (word) => firstFive(turkish(word)), stops: turkishStops },
  lt: { script: "latin", stem: lithuanian, stops: lithuanianStops },
  id: { script: "latin", stem: indonesian, stops: indonesianStops },
  vi: { script: "latin", stem: same, stops: [] },
  ru: { script: "cyrillic", stem: russian, stops: russianStops },
  uk: { script: "cyrillic", stem: same, stops: ukrainianStops },
  el: { script: "greek", stem: greek, stops: greekStops },
};
export const stemmedLanguages = Object.keys(languages);
export const scriptOf = (language: string): Script | null => languages[language]?.script ?? null;

const stopSets = new Map<string, ReadonlySet<string>>();
/** Folded stop words of a language, including question words; empty if it has no list. */
export function stopWords(language: string): ReadonlySet<string> {
  let set = stopSets.get(language);
  if (!set) {
    const words = [
      ...(languages[language]?.stops ?? []),
      ...(extraStopWords[language]?.split(" ") ?? []),
    ];
    stopSets.set(
      language,
      (set = new Set(words.flatMap((word) => fold(word).split(/[^\p{L}\p{N}]+/u)).filter(Boolean))),
    );
  }
  return set;
}

/** Indexes of the stemmed languages that have a word as a stop word. */
let stopLanguages: Map<string, number[]> | undefined;
function readStopLanguages(): Map<string, number[]> {
  const read = new Map<string, number[]>();
  for (const [place, language] of stemmedLanguages.entries())
    for (const word of stopWords(language)) {
      const places = read.get(word);
      if (places) places.push(place);
      else read.set(word, [place]);
    }
  return read;
}
/** Adds to `hits`, by language, how many of the lower-case words are stop words, `times` each. */
function countStops(hits: number[], words: readonly string[], times: number): void {
  stopLanguages ??= readStopLanguages();
  for (const word of words)
    for (const place of stopLanguages.get(fold(word)) ?? []) hits[place]! += times;
}

/** Stem of a lower-case word, folded afterwards because the stemmers need the diacritics. */
export function stem(word: string, language: string): string {
  const known = languages[language];
  if (!known) return fold(word);
  const stemmed = fold(known.stem(word));
  return stemmed.length > 1 ? stemmed : fold(word);
}

/** Enough text to be sure, with bounded work for long texts. */
const sampleLength = 4_000;
/** The statistical detector is slow and needs less text. */
const detectorLength = 1_000;
const vietnamese = /[ăđơưạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹ]/gu;

/** Share of function words below which a text may be a table, code or a list of names. */
const proseShare = 0.05;

/**
 * ISO 639-1 code of a text's language, if it has a stemmer; null when unclear. Function words
 * decide; the statistical detector is only used when they tie, are few or missing.
 */
export function detectLanguage(text: string): string | null {
  const sample = text.slice(0, sampleLength),
    lower = sample.toLowerCase();
  // Single letters are initials, columns and variables more often than function words.
  const words = lower.match(/[\p{L}\p{M}\p{N}]{2,}/gu) ?? [];
  if (!/\p{L}{2}/u.test(sample)) return null;
  if ((lower.match(vietnamese)?.length ?? 0) > words.length * 0.3) return "vi";
  const hits = stemmedLanguages.map(() => 0);
  countStops(hits, words, 1);
  // Among lower-case words, words in capitals are codes and abbreviations.
  if (/\p{Ll}{2}/u.test(sample))
    countStops(
      hits,
      (sample.match(/\b[A-Z]{2,}\b/g) ?? []).map((word) => word.toLowerCase()),
      -1,
    );
  const tallies = stemmedLanguages
    .map((language, place) => ({ language, hits: hits[place]! }))
    .sort((a, b) => b.hits - a.hits);
  const most = tallies[0]!.hits,
    next = tallies[1]!.hits;
  if (most >= 2 && most >= next * 1.2 && most >= words.length * proseShare)
    return tallies[0]!.language;
  const close = new Set(
    tallies.filter((tally) => tally.hits >= most * 0.8).map((tally) => tally.language),
  );
  const guesses = detectAll(lower.slice(0, detectorLength));
  const guess = guesses.find(({ lang }) => close.has(lang));
  if (guess !== undefined && (most > 0 || guess.accuracy > 0.5)) return guess.lang;
  // A single function word may be part of a name.
  return most >= 2 || most > words.length / 4 ? tallies[0]!.language : null;
}
