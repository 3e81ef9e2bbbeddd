import type { Language } from "@carrel/contracts/languages";
import { ar } from "./forms/ar.ts";
import { da } from "./forms/da.ts";
import { de } from "./forms/de.ts";
import type { FormTexts } from "./forms/en.ts";
import { es } from "./forms/es.ts";
import { fa } from "./forms/fa.ts";
import { fr } from "./forms/fr.ts";
import { he } from "./forms/he.ts";
import { it } from "./forms/it.ts";
import { ko } from "./forms/ko.ts";
import { nl } from "./forms/nl.ts";
import { pt } from "./forms/pt.ts";
import { ru } from "./forms/ru.ts";
import { tr } from "./forms/tr.ts";
import { vi } from "./forms/vi.ts";
import { zhTw } from "./forms/zh-tw.ts";
import { zh } from "./forms/zh.ts";

// prettier-ignore
export const translations: Readonly<Record<Exclude<Language, "en">, FormTexts>> = {
  ar, da, de, es, fa, fr, he, it, ko, nl, pt, ru, tr, vi, zh, "zh-tw": zhTw,
};

/** Translates a text of a source's form; names are the same in every language. */
export function translateForm(text: string, language: Language | null | undefined): string {
  if (language == null || language === "en") return text;
  return (translations[language] as Readonly<Record<string, string>>)[text] ?? text;
}
