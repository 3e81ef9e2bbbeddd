import { isUtf8 } from "node:buffer";
import type { KnownFault } from "@carrel/contracts";
import type { WorkBook } from "@e965/xlsx";
import { Archive } from "./archive.ts";
import { noteSheetGaps } from "./note-sheet-gaps.ts";
import { UnreadableError, markHidden, type ParsedPart } from "./parsed-document.ts";
import { SheetBuilder } from "./sheet-builder.ts";
import { maxMergedCells, type CellComment } from "./sheet-row.ts";
import { spreadsheetCellText, type SpreadsheetCell } from "./spreadsheet-cell.ts";
import {
  WorksheetScan,
  listSheetParts,
  readReference,
  readSheetParts,
  unescapeXml,
  type SheetParts,
} from "./worksheet-parts.ts";

const what: KnownFault = { code: "file-kind.spreadsheet" };
const damaged: KnownFault = { code: "file.damaged", params: { what } };

/** Rows of cells by column, with holes. */
type Rows = (SpreadsheetCell | undefined)[][];

/** The fields used from SheetJS's sheets. */
interface Sheet {
  "!data"?: Rows;
  "!merges"?: { s: Place; e: Place }[];
  "!autofilter"?: { ref: string };
}
interface Place {
  r: number;
  c: number;
}

/** What is known of a sheet in addition to what SheetJS reads. */
interface SheetFacts extends SheetParts {
  scan: WorksheetScan | null;
}

/**
 * Turns an Excel workbook, old (BIFF) or new (OOXML), into one part per sheet with text; rows
 * repeat their column names. Throws UnreadableError.
 */
export async function parseSpreadsheet(
  bytes: Uint8Array,
  kind: "xlsx" | "xls",
): Promise<ParsedPart[]> {
  const archive = kind === "xlsx" ? await Archive.open(bytes, what) : null;
  const facts = archive ? await readFacts(archive) : [];
  const workbook = await readWorkbook(archive?.bytes ?? bytes);
  const date1904 = workbook.Workbook?.WBProps?.date1904 === true;
  return workbook.SheetNames.flatMap((name, index) => {
    const sheet = (workbook.Sheets[name] ?? {}) as unknown as Sheet;
    const visibility = workbook.Workbook?.Sheets?.[index]?.Hidden ?? 0;
    return (
      writeSheet(sheet, {
        name,
        index,
        date1904,
        facts: facts[index] ?? { scan: null, headers: [], paragraphs: [], notes: [] },
        printTitles: lastPrintTitle(workbook, index),
        isHidden: visibility !== 0,
      }) ?? []
    );
  });
}

async function readWorkbook(bytes: Uint8Array): Promise<WorkBook> {
  const { read } = await import("@e965/xlsx");
  try {
    return read(bytes, {
      type: "array",
      dense: true,
      cellHTML: false,
      cellFormula: false,
      cellDates: false,
      cellNF: true,
      cellStyles: false,
      bookVBA: false,
      WTF: false,
    });
  } catch (cause) {
    if (/password|encrypt/i.test(String(cause)))
      throw new UnreadableError({ code: "file.password-protected", params: { what } }, { cause });
    throw new UnreadableError(damaged, { cause });
  }
}

/** Checks the archive, which SheetJS unpacks itself, and reads what SheetJS leaves out. */
async function readFacts(archive: Archive): Promise<SheetFacts[]> {
  const workbook = archive.names.find((name) => /^xl\/workbook\.(xml|bin)$/i.test(name));
  if (workbook === undefined) throw new UnreadableError({ code: "file.zip-without-spreadsheet" });
  const isWorksheet = (name: string): boolean => /^xl\/worksheets\/[^/]+\.xml$/i.test(name);
  await archive.check(
    (name) =>
      /\.(xml|rels|bin)$/i.test(name) &&
      !/^xl\/(media|embeddings)\//i.test(name) &&
      !isWorksheet(name),
  );
  const scans = new Map<string, WorksheetScan>();
  for (const name of archive.names.filter(isWorksheet)) {
    const scan = new WorksheetScan();
    for await (const piece of archive.stream(name)) scan.take(piece);
    scan.end();
    scans.set(name, scan);
  }
  if (workbook.endsWith(".bin")) return [];
  const facts: SheetFacts[] = [];
  for (const part of await listSheetParts(archive, workbook))
    facts.push({
      scan: scans.get(part ?? "") ?? null,
      ...(part === null
        ? { headers: [], paragraphs: [], notes: [] }
        : await readSheetParts(archive, part)),
    });
  return facts;
}

/** The last of the rows that are printed on each page. */
function lastPrintTitle(workbook: WorkBook, index: number): number | null {
  const titles = workbook.Workbook?.Names?.find(
    ({ Name: name, Sheet: sheet }) => name === "_xlnm.Print_Titles" && sheet === index,
  )?.Ref;
  const last = /\$\d+:\$(\d+)(?:,|$)/.exec(titles ?? "")?.[1];
  return last === undefined ? null : Number(last) - 1;
}

function writeSheet(
  sheet: Sheet,
  options: {
    name: string;
    index: number;
    date1904: boolean;
    facts: SheetFacts;
    printTitles: number | null;
    isHidden: boolean;
  },
): ParsedPart | null {
  const { scan, headers, paragraphs, notes } = options.facts;
  const rows = sheet["!data"] ?? [];
  const filter = readReference(sheet["!autofilter"]?.ref.split(":", 1)[0] ?? "");
  const frozen = scan && scan.frozenRows > 0 ? scan.frozenRows - 1 : null;
  const { name } = options;
  const shownName = options.isHidden ? markHidden(name) : name;
  const builder = new SheetBuilder(what, shownName, options.index, {
    certain: new Set([...headers, ...(filter ? [filter.row] : [])]),
    likely: options.printTitles ?? frozen,
  });
  if (scan) addFormulas(rows, scan.formulas);
  const merged = repeatMerged(rows, sheet["!merges"] ?? []);
  let widest = 0;
  // The arrays are sparse, so only cells that exist are visited, whatever size the sheet claims.
  rows.forEach((row, index) => {
    const cells: [number, string][] = [];
    const comments: CellComment[] = [];
    row.forEach((cell, column) => {
      if (!cell) return;
      cells.push([column, spreadsheetCellText(cell, options.date1904)]);
      if (!merged.get(index)?.has(column)) comments.push(...readComments(cell, column));
    });
    widest = Math.max(widest, row.length);
    builder.addRow(index, cells, merged.get(index), comments);
  });
  for (const paragraph of paragraphs) builder.addParagraph(paragraph);
  for (const note of notes) builder.note(note);
  if (options.isHidden) builder.note({ code: "file-note.sheet-hidden", params: { name } });
  if (scan) {
    const { formulas, hiddenRows, hiddenColumns } = scan;
    noteSheetGaps(builder, { formulas: formulas.size, hiddenRows, hiddenColumns, widest });
  }
  return builder.build();
}

/** Shows the formulas themselves where no result is stored. */
function addFormulas(rows: Rows, formulas: ReadonlyMap<string, string>): void {
  for (const [reference, formula] of formulas) {
    const place = readReference(reference);
    if (!place) continue;
    const row = (rows[place.row] ??= []);
    row[place.column] = { ...row[place.column], t: "s", v: formula, w: formula };
  }
}

/**
 * Repeats merged cells in all their places. Returns the columns of each row that repeat the cell to
 * their left.
 */
function repeatMerged(
  rows: Rows,
  merges: readonly { s: Place; e: Place }[],
): Map<number, Set<number>> {
  const repeated = new Map<number, Set<number>>();
  let left = maxMergedCells;
  for (const { s: start, e: end } of merges) {
    const cell = rows[start.r]?.[start.c];
    if (!cell || cell.t === "z") continue;
    for (let r = start.r; r <= Math.min(end.r, rows.length - 1); r++) {
      if (--left < 0) return repeated;
      const row = rows[r];
      // A row without cells would only repeat the one above.
      if (!row) continue;
      for (let c = start.c; c <= end.c; c++) {
        if (--left < 0) return repeated;
        row[c] = cell;
        if (c === start.c) continue;
        const columns = repeated.get(r) ?? new Set();
        repeated.set(r, columns.add(c));
      }
    }
  }
  return repeated;
}

/** SheetJS's author of comments without one. */
const noAuthor = "sheetjsghost";

/** SheetJS leaves names of authors, and texts of threads, as the bytes of their XML. */
function readXmlBytes(text: string): string {
  const bytes = Buffer.from(text, "latin1");
  const isBytes = bytes.toString("latin1") === text && isUtf8(bytes);
  return unescapeXml(isBytes ? bytes.toString() : text);
}

function readComments(cell: SpreadsheetCell, column: number): CellComment[] {
  return (cell.c ?? []).map(({ a = "", t = "", T: isThread }) => {
    const text = isThread ? readXmlBytes(t) : t;
    // Older programs see threads as a comment by "tc={id}" that begins with an explanation.
    if (a.startsWith("tc={"))
      return { column, author: "", text: text.replace(/^\[[^\n]*\n[^]*\n\w+:\s*/, "") };
    const author = a === noAuthor ? "" : readXmlBytes(a);
    // Excel begins a comment with the name of its author.
    const hasName = author !== "" && text.startsWith(`${author}:`);
    return { column, author, text: hasName ? text.slice(author.length + 1) : text };
  });
}
