import { keep, recall } from "../wire/browser-storage.ts";
import { english, type Words } from "./english.ts";

/** Languages other than English, each with a file of strings. */
export const languages = [
  "ar",
  "da",
  "de",
  "es",
  "fa",
  "fr",
  "he",
  "it",
  "ko",
  "nl",
  "pt",
  "ru",
  "tr",
  "vi",
  "zh",
  "zh-tw",
];
const rightToLeft = ["ar", "fa", "he"];
const storageKey = "allm_embed_language";

/** The language to use for a tag such as `de-CH`; null if there is none. */
export function knownLanguage(tag: string | null): string | null {
  if (tag === null || tag === "") return null;
  const wanted = tag.toLowerCase().replace("_", "-");
  if (/^zh-(tw|hk|mo|hant)/.test(wanted)) return "zh-tw";
  const base = wanted.split("-")[0]!;
  if (base === "iw") return "he";
  return base === "en" || languages.includes(base) ? base : null;
}

/**
 * The script tag's language, else the one chosen on another page of the site, else the page's own.
 */
export function chooseLanguage(attribute: string | null): string {
  const named = knownLanguage(attribute);
  if (named !== null) keep(storageKey, named);
  return (
    named ??
    knownLanguage(recall(storageKey)) ??
    knownLanguage(document.documentElement.lang) ??
    "en"
  );
}

export const directionOf = (language: string): "ltr" | "rtl" =>
  rightToLeft.includes(language) ? "rtl" : "ltr";

/** Falls back to English if the file can't be loaded or lacks a string. */
export async function loadWords(language: string, folder: string | null): Promise<Words> {
  if (language === "en" || folder === null) return english;
  try {
    const reply = await fetch(`${folder}${language}.json`, { credentials: "omit" });
    const strings = (await reply.json()) as Record<string, unknown>;
    const words = { ...english };
    for (const key of Object.keys(english) as (keyof Words)[])
      if (reply.ok && typeof strings[key] === "string") words[key] = strings[key];
    return words;
  } catch {
    return english;
  }
}
