import { read } from "@e965/xlsx";
import type { ConvertedWorkbook } from "./conversion.ts";
import { decodeText } from "./decode-text.ts";

/** The fields used from SheetJS's cells: the displayed text, else the value. */
interface Cell {
  w?: string;
  v?: unknown;
  t?: string;
}

const shown = (cell: Cell | undefined): string =>
  !cell || cell.t === "z" ? "" : (cell.w ?? String(cell.v ?? "")).trim();

/** The sheets of a spreadsheet or CSV file that have content. */
export function convertWorkbook(
  bytes: ArrayBuffer,
  mime: string,
  encoding: string | undefined,
): ConvertedWorkbook {
  const workbook =
    mime === "text/csv"
      ? read(decodeText(new Uint8Array(bytes), encoding), {
          type: "string",
          dense: true,
          raw: true,
        })
      : read(bytes, { type: "array", dense: true, cellFormula: false, cellHTML: false });
  const sheets = workbook.SheetNames.map((name) => {
    const data = (workbook.Sheets[name] as { "!data"?: (Cell | undefined)[][] } | undefined)?.[
      "!data"
    ];
    // Both arrays are sparse.
    const rows = Array.from(data ?? [], (row) => Array.from(row ?? [], shown));
    return { name, rows };
  });
  return { kind: "workbook", sheets: sheets.filter(({ rows }) => rows.length > 0) };
}
