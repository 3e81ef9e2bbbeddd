import { read } from "@e965/xlsx";
import type { ConvertedWorkbook } from "./conversion.ts";
import { decodeText } from "./decode-text.ts";

/** The fields used from SheetJS's cells: the displayed text, else the value, and the format. */
interface Cell {
  w?: string;
  v?: unknown;
  t?: string;
  z?: string | number;
}

/**
 * As displayed, but with all digits, like the extracted text: "General" shows at most eleven, which
 * would cut barcodes and account numbers.
 */
function shownCell(cell: Cell | undefined): string {
  if (!cell || cell.t === "z") return "";
  const { w, v, z = "General" } = cell;
  const isShortened =
    typeof v === "number" && w !== undefined && /\dE[-+]/.test(w) && !/E[-+]/i.test(String(z));
  return (isShortened || w === undefined ? String(v ?? "") : w).trim();
}

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
      : read(bytes, {
          type: "array",
          dense: true,
          cellFormula: false,
          cellHTML: false,
          cellNF: true,
        });
  const sheets = workbook.SheetNames.map((name) => {
    const data = (workbook.Sheets[name] as { "!data"?: (Cell | undefined)[][] } | undefined)?.[
      "!data"
    ];
    // Both arrays are sparse.
    const rows = Array.from(data ?? [], (row) => Array.from(row ?? [], shownCell));
    return { name, rows };
  });
  return { kind: "workbook", sheets: sheets.filter(({ rows }) => rows.length > 0) };
}
