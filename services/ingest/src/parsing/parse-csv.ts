import { parse } from "csv-parse/sync";
import { cleanText } from "./decode-text.ts";
import { parseText } from "./parse-text.ts";
import type { ParsedText } from "./parsed-document.ts";
import { SheetBuilder } from "./sheet-builder.ts";

/** The first of equally good ones is taken. A comma is also part of sentences and numbers. */
const delimiters = [";", "\t", "|", ","];
const sampleLines = 50;
/** Commas that aren't part of a number or a sentence. */
const separatingComma = /(?<!\d),(?!\s)|,(?![\d\s])/g;

const separatorsIn = (line: string, delimiter: string): number =>
  delimiter === "," ? (line.match(separatingComma)?.length ?? 0) : line.split(delimiter).length - 1;

/** The delimiter that occurs equally often in most lines, and else the most frequent. */
function guessDelimiter(text: string): string {
  const lines = text
    .slice(0, 20_000)
    .replace(/"[^"]*"/g, "")
    .split("\n")
    .filter((line) => line.trim() !== "")
    .slice(0, sampleLines);
  const scores = delimiters.map((delimiter) => {
    const lengths = new Map<number, number>();
    for (const line of lines) {
      const count = line.split(delimiter).length - 1;
      if (count > 0) lengths.set(count, (lengths.get(count) ?? 0) + 1);
    }
    return {
      delimiter,
      alike: Math.max(0, ...lengths.values()),
      most: Math.max(0, ...lines.map((line) => separatorsIn(line, delimiter))),
    };
  });
  return scores.reduce((best, next) =>
    next.alike > best.alike || (next.alike === best.alike && next.most > best.most) ? next : best,
  ).delimiter;
}

/** Excel writes and reads a first line "sep=;", which names the delimiter. */
const separatorLine = /^\ufeff?"?sep=(.)"?[ \t]*\n/i;

/** Reads rows like a sheet's. */
export function parseCsv(source: string): ParsedText {
  const whole = cleanText(source);
  const separator = separatorLine.exec(whole);
  const text = separator ? whole.slice(separator[0].length) : whole;
  if (text.trim() === "") return parseText(text);
  let rows: string[][];
  try {
    rows = parse(text, {
      delimiter: separator?.[1] ?? guessDelimiter(text),
      bom: true,
      relax_column_count: true,
      relax_quotes: true,
      // Blank lines separate tables.
      skip_empty_lines: false,
      trim: true,
    }) as string[][];
  } catch {
    // An unclosed quote; the lines are still readable as they are.
    return parseText(text);
  }
  if (rows.length < 2 || !rows.some((row) => row.filter((cell) => cell !== "").length > 1))
    return parseText(text);
  const sheet = new SheetBuilder({ code: "file-kind.table" }, "", 0);
  for (const [index, row] of rows.entries()) sheet.addRow(index, row.entries());
  return sheet.build() ?? parseText(text);
}
