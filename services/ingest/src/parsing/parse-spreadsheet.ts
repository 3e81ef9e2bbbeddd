import type { KnownFault } from "@carrel/contracts";
import { Archive } from "./archive.ts";
import { UnreadableError, type ParsedPart } from "./parsed-document.ts";
import { SheetBuilder } from "./sheet-builder.ts";

const what: KnownFault = { code: "file-kind.spreadsheet" };
const damaged: KnownFault = {
  code: "file.damaged",
  params: { what: { code: "file-kind.spreadsheet" } },
};

/** The fields used from SheetJS's cells: the displayed text, else the value. */
interface Cell {
  w?: string;
  v?: unknown;
  t?: string;
  l?: { Target?: string };
}

const shown = (cell: Cell | undefined): string => {
  if (!cell || cell.t === "z") return "";
  if (cell.t === "e") return cell.w ?? "";
  return (cell.w ?? String(cell.v ?? "")).trim();
};

/**
 * Turns an Excel workbook, old (BIFF) or new (OOXML), into one part per sheet with text; rows
 * repeat their column names. Throws UnreadableError.
 */
export async function parseSpreadsheet(
  bytes: Uint8Array,
  kind: "xlsx" | "xls",
): Promise<ParsedPart[]> {
  if (kind === "xlsx") {
    const archive = await Archive.open(bytes, what);
    if (!archive.names.some((name) => /^xl\/workbook\.(xml|bin)$/i.test(name)))
      throw new UnreadableError({ code: "file.zip-without-spreadsheet" });
    // SheetJS unpacks the archive itself, so its parts are counted and checked first.
    await archive.check(
      (name) => /\.(xml|rels|bin)$/i.test(name) && !/^xl\/(media|embeddings)\//i.test(name),
    );
  }
  const { read } = await import("@e965/xlsx");
  let workbook;
  try {
    workbook = read(bytes, {
      type: "array",
      dense: true,
      cellHTML: false,
      cellFormula: false,
      cellDates: false,
      cellStyles: false,
      bookVBA: false,
      WTF: false,
    });
  } catch (cause) {
    if (/password|encrypt/i.test(String(cause)))
      throw new UnreadableError(
        {
          code: "file.password-protected",
          params: { what: { code: "file-kind.spreadsheet" } },
        },
        { cause },
      );
    throw new UnreadableError(damaged, { cause });
  }
  return workbook.SheetNames.flatMap((name, index) => {
    const builder = new SheetBuilder(what, name, index);
    const rows =
      (workbook.Sheets[name] as unknown as { "!data"?: (Cell | undefined)[][] } | undefined)?.[
        "!data"
      ] ?? [];
    // The arrays are sparse, so only cells that exist are visited, whatever size the sheet claims.
    rows.forEach((row) => builder.addRow(row.map(shown)));
    return builder.build() ?? [];
  });
}
