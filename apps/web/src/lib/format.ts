import { provenEndings } from "@carrel/contracts";
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
const numberFormat = (options: Intl.NumberFormatOptions): Intl.NumberFormat =>
  kept(Intl.NumberFormat, options);
const dateFormat = (options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat =>
  kept(Intl.DateTimeFormat, options);

export const formatNumber = (value: number, digits = 0): string =>
  numberFormat({ maximumFractionDigits: digits, minimumFractionDigits: 0 }).format(value);
/** A relevance score from 0 to 1, always with two digits so that columns line up. */
export const formatScore = (value: number): string =>
  numberFormat({ maximumFractionDigits: 2, minimumFractionDigits: 2 }).format(value);
/** A model's name without its vendor: "all-MiniLM-L6-v2". */
export const shortModelName = (model: string): string => model.split("/").at(-1) ?? model;

/** "Arabic, German and other languages"; `other` stands for the code `und`. */
export function listLanguages(codes: readonly string[], other: string): string {
  const names = new Intl.DisplayNames([language()], { type: "language" });
  const known = codes.filter((code) => code !== "und").map((code) => names.of(code) ?? code);
  return new Intl.ListFormat(language()).format(
    known.length < codes.length ? [...known, other] : known,
  );
}
export const formatPercent = (fraction: number): string =>
  numberFormat({ style: "percent", maximumFractionDigits: 0 }).format(
    Math.floor(Math.min(1, Math.max(0, fraction)) * 100 + 1e-9) / 100,
  );

/** "150%" */
export const formatZoom = (zoom: number): string =>
  numberFormat({ style: "percent", maximumFractionDigits: 0 }).format(zoom);

const formatUnit = (
  value: number,
  unit: string,
  unitDisplay: "narrow" | "short" | "long",
  digits = 0,
): string =>
  numberFormat({ style: "unit", unit, unitDisplay, maximumFractionDigits: digits }).format(value);

/** "6.2s", "24s"; below a tenth of a second "17ms". */
export const formatSeconds = (seconds: number): string =>
  seconds < 0.095
    ? formatUnit(Math.max(1, Math.round(seconds * 1000)), "millisecond", "narrow")
    : formatUnit(seconds, "second", "narrow", seconds < 10 ? 1 : 0);

/** "3s", "1m 12s"; at least a second. */
export function formatDuration(milliseconds: number): string {
  const all = Math.max(1, Math.round(milliseconds / 1000));
  const [minutes, seconds] = [Math.floor(all / 60), all % 60];
  const parts = [
    ...(minutes > 0 ? [formatUnit(minutes, "minute", "narrow")] : []),
    ...(seconds > 0 || minutes === 0 ? [formatUnit(seconds, "second", "narrow")] : []),
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

/** "2:32 PM" today, otherwise with the date. `now` is for tests. */
export function formatTime(milliseconds: number, now = Date.now()): string {
  const then = new Date(milliseconds);
  const today = new Date(now);
  return dateFormat({
    hour: "numeric",
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
/** "28 Nov 2026" */
export const formatDate = (milliseconds: number): string =>
  dateFormat({ day: "numeric", month: "short", year: "numeric" }).format(milliseconds);
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

const tags: Record<string, string> = {
  "application/pdf": "PDF",
  "text/markdown": "MD",
  "text/html": "WEB",
  "text/csv": "CSV",
  "application/json": "JSON",
  "application/vnd.ms-excel": "XLS",
  "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": "XLS",
  "text/plain": "TXT",
};
/**
 * Tile texts by document kind, for documents whose name and type don't reveal it, such as a
 * workbook's sheet or a fetched page.
 */
const kinds: Record<string, string> = {
  sheet: "XLS",
  web: "WEB",
  mail: "MAIL",
  word: "DOC",
  slides: "PPT",
  pdf: "PDF",
  code: "CODE",
  book: "BOOK",
  image: "IMG",
  audio: "AUD",
  video: "VID",
  text: "TXT",
};
const kindsByEnding = new Map(
  Object.entries(provenEndings).flatMap(([kind, endings]) =>
    endings.map((ending) => [ending, kind] as const),
  ),
);
/** Extensions of text files, which may contain anything except the kinds proved by content. */
const textEndings = new Set(["txt", "md", "log", "json", "xml"]);
/** Whether a file's name claims a different kind from its content's: a text named ".pdf". */
export function isMisnamed(name: string, kind: string | undefined): boolean {
  if (kind === undefined || kind === "other") return false;
  const ending = /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? "";
  if (textEndings.has(ending)) return kind in provenEndings;
  const claimed = kindsByEnding.get(ending);
  return claimed !== undefined && kind !== claimed;
}
const short: Record<string, string> = {
  DOCX: "DOC",
  XLSX: "XLS",
  PPTX: "PPT",
  HTML: "WEB",
  JPEG: "JPG",
  MPEG: "MPG",
  WEBM: "VID",
};
/**
 * Up to four letters for a file's tile, from its name, type or kind, in that order; the name
 * doesn't count if the content is of another kind.
 */
export function fileTag(name: string, mime = "", kind = ""): string {
  if (isMisnamed(name, kind || undefined)) return kinds[kind] ?? tags[mime] ?? "TXT";
  const extension = /\.([a-z0-9]{1,4})$/i.exec(name)?.[1];
  const tag = extension ? extension.toUpperCase() : (tags[mime] ?? kinds[kind] ?? "TXT");
  return short[tag] ?? tag;
}
