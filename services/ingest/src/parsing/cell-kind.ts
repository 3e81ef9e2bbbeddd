/** What a cell of a table holds, by its text. Codes are words with digits: "Q1", "A-12", "11 m". */
export type CellKind = "missing" | "number" | "date" | "link" | "code" | "text";

/** Longer cells are sentences, and not worth a closer look. */
const longest = 60;

const missing = /^(?:[-–—.…?*]+|n\/?a|n\.a\.|nan|none|null|nil|#[A-Z\d/]+[!?]?)$/i;
const date =
  /^(?:\d{4}[-/.]\d{1,2}(?:[-/.]\d{1,2})?(?:[T ]\d{1,2}:\d\d.{0,20})?|\d{1,2}([-/.])\d{1,2}\1\d{2,4}(?: \d{1,2}:\d\d.{0,10})?|\d{1,3}:\d\d(?::\d\d)?(?:\.\d+)?(?: ?[AP]M)?|\d{1,2}[-. ]{1,2}\p{L}{3,9}[-. ]{1,2}\d{2,4}|\p{L}{3,9}\.?[- ](?:\d{1,2},? )?\d{4})$/iu;
const number =
  /^[-+(]?\s?(?:\p{Sc}|[A-Z]{3})?\s?[-+]?[\d.]\d*(?:[.,'’\s]\d+)*(?:E[-+]?\d+)?\s?(?:%|\p{Sc}|[A-Z]{3})?[-)]?$/iu;
const link = /^(?:https?:\/\/|www\.)\S+$|^[^\s@]+@[^\s@]+\.[^\s@]+$/i;

export function cellKind(text: string): CellKind {
  if (text.length > longest) return "text";
  if (missing.test(text)) return "missing";
  if (!/\d/.test(text)) return text.includes("@") && link.test(text) ? "link" : "text";
  if (date.test(text)) return "date";
  if (number.test(text)) return "number";
  return link.test(text) ? "link" : "code";
}

export const isYear = (text: string): boolean => /^(?:19|20)\d\d$/.test(text);

/** Its pattern of letters and digits: "A-12" and "B-7" look alike. */
export const shapeOf = (text: string): string =>
  text
    .slice(0, longest)
    .replace(/\d+/g, "9")
    .replace(/\p{L}+/gu, "a");
