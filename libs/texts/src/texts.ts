import { languageTag, sourceLanguage, type Language } from "@carrel/contracts/languages";
import { ar } from "./locales/ar.ts";
import { da } from "./locales/da.ts";
import { de } from "./locales/de.ts";
import { en, type Locale } from "./locales/en.ts";
import { es } from "./locales/es.ts";
import { fa } from "./locales/fa.ts";
import { fr } from "./locales/fr.ts";
import { he } from "./locales/he.ts";
import { it } from "./locales/it.ts";
import { ko } from "./locales/ko.ts";
import { nl } from "./locales/nl.ts";
import { pt } from "./locales/pt.ts";
import { ru } from "./locales/ru.ts";
import { tr } from "./locales/tr.ts";
import { vi } from "./locales/vi.ts";
import { zhTw } from "./locales/zh-tw.ts";
import { zh } from "./locales/zh.ts";

// prettier-ignore
export const locales: Readonly<Record<Language, Locale>> = {
  ar, da, de, en, es, fa, fr, he, it, ko, nl, pt, ru, tr, vi, zh, "zh-tw": zhTw,
};

/** The names in braces. */
type Placeholder<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholder<Rest>
  : never;
type Values<Text extends string> = [Placeholder<Text>] extends [never]
  ? []
  : [values: Record<Placeholder<Text>, string | number>];

/** Writes a text, with numbers as the language writes them. */
export type Texts = <Key extends keyof typeof en>(
  key: Key,
  ...values: Values<(typeof en)[Key]>
) => string;

const made = new Map<Language, Texts>();

/** The sentences that Carrel itself writes, in a language; in English if none is known. */
export function findTexts(language: Language | null | undefined): Texts {
  const chosen = language ?? sourceLanguage;
  const texts = made.get(chosen) ?? createTexts(chosen);
  made.set(chosen, texts);
  return texts;
}

type Caption = Extract<keyof typeof en, `caption${string}`>;
const captions = new Map(
  Object.entries(en)
    .filter(([key]) => key.startsWith("caption") && key !== "captionTarget")
    .map(([key, text]) => [text as string, key as Caption]),
);

/** What approvals call the parts of a call of our own tools; others are returned as they are. */
export function translateCaption(
  label: string,
  skill: string,
  language: Language | null | undefined,
): string {
  const isTarget = label === "To" && skill === "filesystem-agent";
  const key = isTarget ? "captionTarget" : captions.get(label);
  return key === undefined ? label : findTexts(language)(key);
}

function createTexts(language: Language): Texts {
  const numbers = new Intl.NumberFormat(languageTag(language));
  return (key, ...[values = {}]) =>
    locales[language][key].replace(/\{(\w+)\}/g, (_, name: string) => {
      const value = (values as Record<string, string | number>)[name]!;
      return typeof value === "number" ? numbers.format(value) : value;
    });
}

/** Date and time as the language writes them; UTC if the time zone is unknown, which it then says. */
export function formatDate(
  date: Date | number,
  language: Language,
  timeZone: string | undefined,
): string {
  const format = (zone: string): string =>
    new Intl.DateTimeFormat(languageTag(language), {
      dateStyle: "long",
      timeStyle: "short",
      timeZone: zone,
    }).format(date);
  try {
    if (timeZone !== undefined) return format(timeZone);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  return `${format("UTC")} UTC`;
}
