/** The languages of the interface, by the code that a profile stores (specification 2, section 9). */
export const languages = [
  "en",
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
] as const;

export type Language = (typeof languages)[number];

/** The language that texts are written in, and the fallback for missing translations. */
export const sourceLanguage = "en" satisfies Language;

const rightToLeft: readonly Language[] = ["ar", "fa", "he"];
export const directionOf = (language: Language): "ltr" | "rtl" =>
  rightToLeft.includes(language) ? "rtl" : "ltr";

/** Other names of our languages: an old code, and one that existing clients store. */
const aliases: Record<string, Language> = { iw: "he", vn: "vi" };

/**
 * Our language for a tag such as `de-CH`, `pt_BR` or `zh-Hant-HK`, as browsers and existing clients
 * name them; null if there is none.
 */
export function knownLanguage(tag: string | null | undefined): Language | null {
  if (!tag) return null;
  const [base = "", ...parts] = tag.toLowerCase().split(/[-_]/);
  if (base === "zh")
    return parts.some((part) => ["tw", "hk", "mo", "hant"].includes(part)) &&
      !parts.includes("hans")
      ? "zh-tw"
      : "zh";
  return aliases[base] ?? languages.find((language) => language === base) ?? null;
}

/** The first of the tags that names one of our languages. */
export const chooseLanguage = (tags: readonly (string | null | undefined)[]): Language =>
  tags.map(knownLanguage).find((language) => language !== null) ?? sourceLanguage;

/** The tag that `Intl` and documents use. */
export const languageTag = (language: Language): string =>
  language === "pt" ? "pt-BR" : language === "zh-tw" ? "zh-TW" : language;
