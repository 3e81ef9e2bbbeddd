import { utils, write } from "@e965/xlsx";
import type { FakeOriginal } from "./originals.ts";

const header = ["Run", "Speed (km/h)", "Crash rate", "Remark"];
/** A row of measurements; no two rows are the same. */
const rowOf = (n: number): string[] => [
  `T-${n}`,
  String(20 + (n % 37)),
  `${((n * 7) % 100) / 10} %`,
  `driver ${n * 13}, lane ${n % 4}`,
];
const count = 5_000;
const rows = Array.from({ length: count }, (_, n) => rowOf(n + 1));

const paragraphOf = (row: readonly string[]): string =>
  row.map((cell, index) => `${header[index]}: ${cell}`).join("\n");
/** Rows `from` to `to`, counted from 1, as extraction writes them. */
export const rowsText = (from: number, to: number): string =>
  rows
    .slice(from - 1, to)
    .map(paragraphOf)
    .join("\n\n");

const text = rowsText(1, count);

export const csv = (): FakeOriginal => ({
  title: "Tunnel runs.csv",
  mime: "text/csv",
  bytes: Buffer.from(
    [header, ...rows].map((row) => row.map((cell) => `"${cell}"`).join(";")).join("\r\n"),
  ),
  text,
});

/** The data is in the second of two sheets. */
export const xlsx = (): FakeOriginal => {
  const workbook = utils.book_new();
  utils.book_append_sheet(workbook, utils.aoa_to_sheet([["Notes"], ["Nothing here."]]), "Notes");
  utils.book_append_sheet(workbook, utils.aoa_to_sheet([header, ...rows]), "Runs 2026");
  return {
    title: "Tunnel runs.xlsx - Sheet:Runs 2026",
    mime: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    bytes: write(workbook, { type: "buffer", bookType: "xlsx" }) as Buffer,
    text,
  };
};
