import { sourceLanguage } from "@carrel/contracts/languages";
import i18next from "i18next";

const language = (): string => document.documentElement.lang || sourceLanguage;

const formats = new Map<string, Intl.NumberFormat | Intl.DateTimeFormat>();
/** Formatters are cached, because creating one takes longer than rendering a button. */
function kept<Format extends Intl.NumberFormat | Intl.DateTimeFormat>(
  Kind: new (language: string, options: object) => Format,
  options: Intl.NumberFormatOptions | Intl.DateTimeFormatOptions,
): Format {
  const key = `${language()} ${JSON.stringify(options)}`;
  const known = formats.get(key) as Format | undefined;
  if (known) return known;
  const made = new Kind(language(), options);
  formats.set(key, made);
  return made;
}
/** Groups four digits too, in every language, so that "1.830" matches "12.000". */
export const numberFormat = (options: Intl.NumberFormatOptions): Intl.NumberFormat =>
  kept(Intl.NumberFormat, { useGrouping: "always", ...options });
export const dateFormat = (options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat =>
  kept(Intl.DateTimeFormat, options);

export const formatNumber = (value: number, digits = 0): string =>
  numberFormat({ maximumFractionDigits: digits, minimumFractionDigits: 0 }).format(value);

type Missing = null | undefined | false | "";
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufefc]/;
/**
 * Joins texts that may be in different scripts, without the missing ones. Where one is written from
 * right to left each is isolated, because it would change places with its neighbours otherwise.
 */
function joinIsolated(all: readonly (string | Missing)[], separator: string): string {
  const texts = all.filter(Boolean) as string[];
  const isRightToLeft = document.documentElement.dir === "rtl";
  if (texts.length === 0) return "";
  if (!isRightToLeft && !texts.some((text) => rightToLeft.test(text))) return texts.join(separator);
  const joined = texts.map((text) => `\u2068${text}\u2069`).join(separator);
  // The line is the page's, whatever its first text is.
  return isRightToLeft ? `\u200f${joined}` : joined;
}
/** "Emitter capacity · 4.3" */
export const joinFacts = (facts: readonly (string | Missing)[]): string =>
  joinIsolated(facts, " · ");

const comma = (chinese: string): string => {
  const code = language().slice(0, 2);
  return code === "zh" ? chinese : code === "ar" || code === "fa" ? "، " : ", ";
};
/** Between sentences: Chinese has no spaces. */
export const sentenceSpace = (): string => (language().startsWith("zh") ? "" : " ");
/** "Acme, Design". No `Intl.ListFormat`: without "and" it has no commas in several languages. */
export const joinNames = (names: readonly (string | Missing)[]): string =>
  joinIsolated(names, comma("、"));
/** Between the phrases of "9 documents, 1 failed". */
export const phraseComma = (): string => comma("，");
export const joinPhrases = (phrases: readonly (string | Missing)[]): string =>
  joinIsolated(phrases, phraseComma());

export const formatPercent = (fraction: number): string =>
  numberFormat({ style: "percent", maximumFractionDigits: 0 }).format(
    Math.floor(Math.min(1, Math.max(0, fraction)) * 100 + 1e-9) / 100,
  );

const formatUnit = (
  value: number,
  unit: string,
  unitDisplay: "narrow" | "short" | "long",
  digits = 0,
): string =>
  numberFormat({ style: "unit", unit, unitDisplay, maximumFractionDigits: digits }).format(value);

/** Only in English does the narrowest form read well: "6.2s", but "6,2 Sek.". */
const formatTimeUnit = (value: number, unit: string, digits = 0): string =>
  formatUnit(value, unit, language() === sourceLanguage ? "narrow" : "short", digits);

/** "6.2s", "24s"; below a tenth of a second "17ms". */
export const formatSeconds = (seconds: number): string =>
  seconds < 0.095
    ? formatTimeUnit(Math.max(1, Math.round(seconds * 1000)), "millisecond")
    : formatTimeUnit(seconds, "second", seconds < 10 ? 1 : 0);

/** "3s", "1m 12s"; at least a second. */
export function formatDuration(milliseconds: number): string {
  const all = Math.max(1, Math.round(milliseconds / 1000));
  const [minutes, seconds] = [Math.floor(all / 60), all % 60];
  const parts = [
    ...(minutes > 0 ? [formatTimeUnit(minutes, "minute")] : []),
    ...(seconds > 0 || minutes === 0 ? [formatTimeUnit(seconds, "second")] : []),
  ];
  return new Intl.ListFormat(language(), { type: "unit", style: "narrow" }).format(parts);
}

/** Decimal units, as in current file managers: "8.4 MB", "96 bytes". */
export function formatBytes(bytes: number): string {
  const units = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"];
  let value = bytes;
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  const digits = value < 10 && unit > 0 ? 1 : 0;
  return formatUnit(value, units[unit]!, unit === 0 ? "long" : "short", digits);
}

/** "2h ago"; in words where a language's shortest form is a number with a sign. */
function formatRelative(value: number, unit: "minute" | "hour"): string {
  const [narrow, short] = (["narrow", "short"] as const).map((style) =>
    new Intl.RelativeTimeFormat(language(), { numeric: "auto", style }).format(value, unit),
  ) as [string, string];
  return /^\p{Pd}/u.test(narrow) ? short : narrow;
}

/** "just now", "2 min ago" within a day, then the date. `now` is for tests. */
export function formatAgo(iso: string, now = Date.now()): string {
  const then = new Date(iso).getTime();
  if (!Number.isFinite(then)) return "";
  const seconds = (now - then) / 1000;
  if (seconds < 60) return i18next.t("common:justNow");
  if (seconds < 3600) return formatRelative(-Math.floor(seconds / 60), "minute");
  if (seconds < 86_400) return formatRelative(-Math.floor(seconds / 3600), "hour");
  const sameYear = new Date(then).getFullYear() === new Date(now).getFullYear();
  return dateFormat({
    day: "numeric",
    month: "short",
    ...(sameYear ? {} : { year: "numeric" }),
  }).format(then);
}

/** "1:00 AM", but "01:00" where a language writes the hour with two digits. */
const hourDigits = (): "numeric" | "2-digit" =>
  dateFormat({ timeStyle: "short" })
    .formatToParts(new Date(2026, 0, 1, 1))
    .some(({ type, value }) => type === "hour" && value.length > 1)
    ? "2-digit"
    : "numeric";

/** "2:32 PM" today, otherwise with the date. `now` is for tests. */
export function formatTime(milliseconds: number, now = Date.now()): string {
  const then = new Date(milliseconds);
  const today = new Date(now);
  return dateFormat({
    hour: hourDigits(),
    minute: "2-digit",
    ...(then.toDateString() === today.toDateString() ? {} : { day: "numeric", month: "short" }),
    ...(then.getFullYear() === today.getFullYear() ? {} : { year: "numeric" }),
  }).format(then);
}
/** "October", with the year unless it is this one. `now` is for tests. */
export const formatMonth = (milliseconds: number, now = Date.now()): string =>
  dateFormat({
    month: "long",
    ...(new Date(milliseconds).getFullYear() === new Date(now).getFullYear()
      ? {}
      : { year: "numeric" }),
  }).format(milliseconds);
export const formatDateTime = (milliseconds: number): string =>
  dateFormat({ dateStyle: "full", timeStyle: "short" }).format(milliseconds);

/**
 * Shortens names in lists to 25 characters (specification 1, section 9), counting graphemes rather
 * than code units, and at a space if one is near.
 */
export function shortenName(name: string, most = 25): string {
  const characters = [
    ...new Intl.Segmenter(undefined, { granularity: "grapheme" }).segment(name),
  ].map((s) => s.segment);
  if (characters.length <= most) return name;
  const cut = characters.slice(0, most).join("");
  const space = characters[most] === " " ? cut.length : cut.lastIndexOf(" ");
  return `${space > cut.length / 2 ? cut.slice(0, space).trimEnd() : cut}…`;
}
