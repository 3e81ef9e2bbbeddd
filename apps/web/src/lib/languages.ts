import { languageTag, languages, type Language } from "@carrel/contracts/languages";

/** The tag whose name tells the language from its variants. */
const namedTag = (language: Language): string =>
  language === "zh" ? "zh-Hans" : language === "zh-tw" ? "zh-Hant" : languageTag(language);

/** The language's name in that language. */
function languageName(language: Language): string {
  const tag = languageTag(language);
  const name = new Intl.DisplayNames([tag], { type: "language" }).of(namedTag(language)) ?? tag;
  return name.charAt(0).toLocaleUpperCase(tag) + name.slice(1);
}

/** Interface languages, each in its own name. */
export const namedLanguages = languages.map((code) => ({ code, name: languageName(code) }));
