import { clipText } from "@carrel/contracts/clip-text";

/** What a cell of a table holds, by its text. Codes are words with digits: "Q1", "A-12", "11 m". */
export type CellKind = "missing" | "number" | "date" | "link" | "code" | "text";

/** Longer cells are sentences, and not worth a closer look. */
const longest = 60;

const missing = /^(?:[-–—.…?*]+|n\/?a|n\.a\.|nan|none|null|nil|#[A-Z\d/]+[!?]?)$/i;
const date =
  /^(?:\d{4}[-/.]\d{1,2}(?:[-/.]\d{1,2})?(?:[T ]\d{1,2}:\d\d.{0,20})?|\d{1,2}([-/.])\d{1,2}\1\d{2,4}(?: \d{1,2}:\d\d.{0,10})?|\d{1,3}:\d\d(?::\d\d)?(?:\.\d+)?(?: ?[AP]M)?)$/i;
/** "4 March 2024", "Mar 4, 2024", "März 2024", if the word is a month. */
const dateInWords =
  /^(?:(?:\d{1,2}[-. ]{1,2})?(?:de )?(\p{L}{3,10})\.?[- ]{1,2}(?:de )?\d{2,4}|(\p{L}{3,10})\.? \d{1,2},? \d{4})$/u;
/** Letters in amounts are currencies, because "Day 5" is a name. */
const number =
  /^[-+(]?\s?(?:\p{Sc}|(?:EUR|USD|GBP|CHF|JPY|CNY|SEK|NOK|DKK|PLN|CZK|HUF|CAD|AUD|INR|BRL)\b)?\s?[-+]?[\d.]\d*(?:[.,'’\s]\d+)*(?:E[-+]?\d+)?\s?(?:%|\p{Sc}|EUR|USD|GBP|CHF|JPY|CNY|SEK|NOK|DKK|PLN|CZK|HUF|CAD|AUD|INR|BRL)?[-)]?$/u;
const link = /^(?:https?:\/\/|www\.)\S+$|^[^\s@]+@[^\s@]+\.[^\s@]+$/i;

let months: Set<string> | null = null;

/** Names of months, long and short, in the languages that files most often have. */
function isMonth(word: string): boolean {
  months ??= new Set(
    ["en", "de", "fr", "es", "it", "pt", "nl", "pl", "ru", "sv", "cs", "tr"].flatMap((language) =>
      (["long", "short"] as const).flatMap((month) =>
        Array.from({ length: 12 }, (_, i) =>
          new Date(2024, i, 1)
            .toLocaleDateString(language, { month })
            .replace(".", "")
            .toLowerCase(),
        ),
      ),
    ),
  );
  return months.has(word.toLowerCase());
}

export function cellKind(text: string): CellKind {
  if (text.length > longest) return "text";
  if (missing.test(text)) return "missing";
  if (!/\d/.test(text)) return text.includes("@") && link.test(text) ? "link" : "text";
  if (date.test(text)) return "date";
  const inWords = dateInWords.exec(text);
  if (inWords && isMonth(inWords[1] ?? inWords[2]!)) return "date";
  if (number.test(text)) return "number";
  return link.test(text) ? "link" : "code";
}

export const isYear = (text: string): boolean => /^(?:19|20)\d\d$/.test(text);

/** Pattern of a cell's letters and digits: "A-12" and "B-7" look alike. */
export const shapeOf = (text: string): string =>
  clipText(text, longest)
    .replace(/\d+/g, "9")
    .replace(/\p{L}+/gu, "a");
