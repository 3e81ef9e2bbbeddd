import { knownLanguage, type Language } from "@carrel/contracts/languages";
import cronstrue from "cronstrue";
import { createStore, useStore } from "./store.ts";

/** `cronstrue`'s name of a language, and the module that adds it. */
const locales: Record<Exclude<Language, "en">, [string, () => Promise<unknown>]> = {
  ar: ["ar", () => import("cronstrue/locales/ar.min.js")],
  da: ["da", () => import("cronstrue/locales/da.min.js")],
  de: ["de", () => import("cronstrue/locales/de.min.js")],
  es: ["es", () => import("cronstrue/locales/es.min.js")],
  fa: ["fa", () => import("cronstrue/locales/fa.min.js")],
  fr: ["fr", () => import("cronstrue/locales/fr.min.js")],
  he: ["he", () => import("cronstrue/locales/he.min.js")],
  it: ["it", () => import("cronstrue/locales/it.min.js")],
  ko: ["ko", () => import("cronstrue/locales/ko.min.js")],
  nl: ["nl", () => import("cronstrue/locales/nl.min.js")],
  pt: ["pt_BR", () => import("cronstrue/locales/pt_BR.min.js")],
  ru: ["ru", () => import("cronstrue/locales/ru.min.js")],
  tr: ["tr", () => import("cronstrue/locales/tr.min.js")],
  vi: ["vi", () => import("cronstrue/locales/vi.min.js")],
  zh: ["zh_CN", () => import("cronstrue/locales/zh_CN.min.js")],
  "zh-tw": ["zh_TW", () => import("cronstrue/locales/zh_TW.min.js")],
};

/** Languages whose words are there. */
const loaded = createStore<ReadonlySet<string>>(new Set());
const loading = new Set<string>();

/** Renders the component again when the words of the person's language have arrived. */
export const useCronWords = (): void => void useStore(loaded, (words) => words);

/** `cronstrue`'s name of the person's language; English until its words are there. */
function localeOf(language: Language | null): string {
  if (language === null || language === "en") return "en";
  const [locale, load] = locales[language];
  if (loaded.get().has(locale)) return locale;
  if (!loading.has(locale)) {
    loading.add(locale);
    load()
      .then(() => loaded.set((known) => new Set(known).add(locale)))
      .catch(() => undefined) // the next expression tries again
      .finally(() => loading.delete(locale));
  }
  return "en";
}

/** `cronstrue` writes some of a language's commas as English does. */
const commas: Partial<Record<string, string>> = { ar: "، ", fa: "، ", zh_CN: "，", zh_TW: "，" };

/** "8:00 AM", "08:00": a time of day as HH:MM or HH:MM:SS, in the language with this tag. */
export function sayClock(time: string, tag: string): string {
  const timeStyle = time.length > 5 ? "medium" : "short";
  return new Intl.DateTimeFormat(tag, { timeStyle, timeZone: "UTC" }).format(
    new Date(`2000-01-01T${time}Z`),
  );
}

/** With times, digits and commas as the language writes them, and without double spaces. */
function tidy(words: string, locale: string, tag: string): string {
  const digits = new Intl.NumberFormat(tag);
  return words
    .trim()
    .replaceAll(/\s+/g, " ")
    .replaceAll(/ ?, /g, commas[locale] ?? ", ")
    .replaceAll(/\d+(?::\d\d)+/g, (time) => sayClock(time, tag))
    .replaceAll(/[0-9]/g, (digit) => digits.format(Number(digit)));
}

function describe(cron: string, locale: string): string | null {
  try {
    return cronstrue.toString(cron, { locale, use24HourTimeFormat: true });
  } catch {
    return null;
  }
}

/** Whether a cron expression can be read. */
export const isCron = (cron: string): boolean => describe(cron, "en") !== null;

/** A cron expression in words of the language with this tag; null if it can't be read. */
export function sayCron(cron: string, tag: string): string | null {
  const locale = localeOf(knownLanguage(tag));
  const words = describe(cron, locale);
  return words && tidy(words, locale, locale === "en" ? "en" : tag);
}
