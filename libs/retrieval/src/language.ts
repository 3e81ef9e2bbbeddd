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
 * distinguish its stems.
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

/** Which stemmed languages have a word as a stop word, by their places. */
let stopLanguages: Map<string, number[]> | undefined;
function countStops(words: string[]): number[] {
  if (stopLanguages === undefined) {
    stopLanguages = new Map();
    for (const [place, language] of stemmedLanguages.entries())
      for (const word of stopWords(language)) {
        const places = stopLanguages.get(word);
        if (places) places.push(place);
        else stopLanguages.set(word, [place]);
      }
  }
  const hits = stemmedLanguages.map(() => 0);
  for (const word of words) for (const place of stopLanguages.get(word) ?? []) hits[place]!++;
  return hits;
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
/** The statistical detector is slow and needs less. */
const detectorLength = 1_000;
const vietnamese = /[ăđơưạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹ]/gu;

/**
 * ISO 639-1 code of a text's language, out of those with a stemmer; null when unclear. Function
 * words decide; the statistical detector is only used when they tie or are missing.
 */
export function detectLanguage(text: string): string | null {
  const sample = text.slice(0, sampleLength).toLowerCase();
  const words = sample.match(/[\p{L}\p{M}]+/gu) ?? [];
  if (!words.length) return null;
  if ((sample.match(vietnamese)?.length ?? 0) > words.length * 0.3) return "vi";
  const hits = countStops(words.map(fold));
  const tallies = stemmedLanguages
    .map((language, place) => ({ language, hits: hits[place]! }))
    .sort((a, b) => b.hits - a.hits);
  const [first, second] = tallies;
  if (first && second && first.hits >= 2 && first.hits >= second.hits * 1.2) return first.language;
  const close = new Set(
    tallies
      .filter((tally) => tally.hits >= (first?.hits ?? 0) * 0.8)
      .map((tally) => tally.language),
  );
  const guess = detectAll(sample.slice(0, detectorLength)).find((found) => close.has(found.lang));
  if (guess && (guess.accuracy > 0.5 || (first?.hits ?? 0) > 0)) return guess.lang;
  return first && first.hits > 0 ? first.language : null;
}
