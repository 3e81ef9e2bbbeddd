import { parse } from "csv-parse/sync";
import { cleanText } from "./decode-text.ts";
import type { ParsedText } from "./parsed-document.ts";
import { parseText } from "./parse-text.ts";
import { writeRow } from "./write-rows.ts";

const delimiters = [",", ";", "\t", "|"];

/** The delimiter that splits the first lines most evenly. */
function guessDelimiter(text: string): string {
  const lines = text
    .slice(0, 20_000)
    .split("\n")
    .filter((line) => line.trim() !== "")
    .slice(0, 10);
  const scores = delimiters.map((delimiter) => {
    const counts = lines.map((line) => line.replace(/"[^"]*"/g, "").split(delimiter).length - 1);
    return { delimiter, score: Math.min(...counts) * 100 + Math.max(...counts) };
  });
  return scores.reduce((best, next) => (next.score > best.score ? next : best)).delimiter;
}

/**
 * Each row becomes a paragraph of `header: value` lines, so that a passage explains its own
 * numbers.
 */
export function parseCsv(source: string): ParsedText {
  const text = cleanText(source);
  if (text.trim() === "") return parseText(text);
  let rows: string[][];
  try {
    rows = parse(text, {
      delimiter: guessDelimiter(text),
      bom: true,
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      trim: true,
    }) as string[][];
  } catch {
    // An unclosed quote; the lines are still readable as they are.
    return parseText(text);
  }
  const header = rows[0] ?? [];
  if (rows.length < 2 || header.length < 2) return parseText(text);
  const paragraphs = rows.slice(1).map((row) => writeRow(header, row));
  return {
    text: paragraphs.filter((paragraph) => paragraph !== "").join("\n\n"),
    headings: [],
    pages: [],
  };
}
