import { knownLanguage } from "@carrel/contracts/languages";

/**
 * The tag of the interface's language for voices, with a region if the browser prefers one: "en-GB",
 * "es-MX".
 */
export function voiceTag(): string {
  const tag = document.documentElement.lang;
  const language = knownLanguage(tag);
  return navigator.languages.find((each) => knownLanguage(each) === language) ?? tag;
}

/** Languages by their letters, those with more of their own first. */
const letters: readonly (readonly [string, RegExp])[] = [
  ["ko", /\p{Script=Hangul}/gu],
  ["ja", /[\p{Script=Hiragana}\p{Script=Katakana}]/gu],
  ["zh", /\p{Script=Han}/gu],
  ["he", /\p{Script=Hebrew}/gu],
  ["fa", /[پچژگکی]/gu],
  ["ar", /\p{Script=Arabic}/gu],
  ["ru", /\p{Script=Cyrillic}/gu],
  ["vi", /[ăđơưạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹ]/giu],
];
/** Share of a text's letters that tells its language; names and quotes have fewer. */
const enough = 0.1;
const latin = /\p{Script=Latin}/gu;

const count = (text: string, kind: RegExp): number => text.match(kind)?.length ?? 0;

/**
 * The tag of a text's language as far as its letters tell, because a voice can't read letters of
 * another script. A text in Latin letters has the interface's language, or English.
 */
export function languageOf(text: string): string {
  const own = voiceTag();
  const all = count(text, /\p{L}/gu);
  if (all === 0) return own;
  const base = own.split("-")[0];
  const found = letters.find(([, kind]) => count(text, kind) / all >= enough)?.[0];
  if (found !== undefined) return found === base ? own : found;
  const isOther = letters.some(([language]) => language === base && language !== "vi");
  return isOther && count(text, latin) / all > 0.5 ? "en" : own;
}
