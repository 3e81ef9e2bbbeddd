import { detectLanguage, scriptOf } from "./language.ts";

/** Enough text to be sure, with bounded work for long texts. */
const sampleLength = 4_000;
/** Share of letters in a script other than Latin: names in Latin letters are long. */
const enough = 0.3;
/** Share of Japanese letters that are kana; Chinese texts quote a few at most. */
const kanaShare = 0.05;

const count = (text: string, letters: RegExp): number => text.match(letters)?.length ?? 0;
/** Scripts that identify one language, or the language of nearly all texts in it. */
const languageOfScript: readonly (readonly [RegExp, string])[] = [
  [/\p{Script=Hangul}/gu, "ko"],
  [/\p{Script=Hebrew}/gu, "he"],
  [/\p{Script=Thai}/gu, "th"],
  [/\p{Script=Lao}/gu, "lo"],
  [/\p{Script=Khmer}/gu, "km"],
  [/\p{Script=Myanmar}/gu, "my"],
  [/\p{Script=Devanagari}/gu, "hi"],
  [/\p{Script=Bengali}/gu, "bn"],
  [/\p{Script=Tamil}/gu, "ta"],
  [/\p{Script=Telugu}/gu, "te"],
  [/\p{Script=Georgian}/gu, "ka"],
  [/\p{Script=Armenian}/gu, "hy"],
  [/\p{Script=Ethiopic}/gu, "am"],
];

/**
 * ISO 639-1 code of the language a text is written in; null when unclear. Unlike `detectLanguage`,
 * which chooses a stemmer, it also names languages without one, by their script.
 */
export function writtenLanguage(text: string): string | null {
  const sample = text.slice(0, sampleLength);
  const letters = count(sample, /\p{L}/gu);
  if (letters === 0) return null;
  const isWrittenIn = (script: RegExp): boolean => count(sample, script) >= letters * enough;
  if (isWrittenIn(/\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}/gu))
    return count(sample, /\p{Script=Hiragana}|\p{Script=Katakana}/gu) >= letters * kanaShare
      ? "ja"
      : "zh";
  // Letters that Arabic itself lacks.
  if (isWrittenIn(/\p{Script=Arabic}/gu)) return /[پچژگ]/u.test(sample) ? "fa" : "ar";
  const other = languageOfScript.find(([script]) => isWrittenIn(script));
  if (other !== undefined) return other[1];
  const detected = detectLanguage(sample);
  if (!isWrittenIn(/\p{Script=Cyrillic}/gu)) return detected;
  return detected !== null && scriptOf(detected) === "cyrillic" ? detected : "ru";
}

/** Whether a language returned by `writtenLanguage` is written in Latin letters. */
export const usesLatinScript = (language: string): boolean => scriptOf(language) === "latin";
