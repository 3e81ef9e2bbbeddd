import path from "node:path/posix";
import type { KnownFault } from "@carrel/contracts";
import { cleanText } from "./decode-text.ts";
import { noteSheetGaps, type SheetGaps } from "./note-sheet-gaps.ts";
import { open } from "./parse-odf.ts";
import { markHidden, type ParsedPart } from "./parsed-document.ts";
import { readChartTitles } from "./read-chart.ts";
import { readXmlPart } from "./read-xml.ts";
import { SheetBuilder } from "./sheet-builder.ts";
import { maxMergedCells, type CellComment } from "./sheet-row.ts";
import { addTarget, plainNumber } from "./spreadsheet-cell.ts";

/**
 * Limit on repeats of one cell or row, since sheets are often padded to their last row and column.
 */
const maxRepeated = 1_000;
const countRepeated = (value: string | undefined): number =>
  Math.min(maxRepeated, Math.max(1, Number(value) || 1));

/** Collects text of paragraphs, where spaces, tabs and line breaks are elements. */
class OdfWords {
  text = "";
  open(name: string, attributes: Record<string, string>): void {
    if (name === "s") this.text += " ".repeat(countRepeated(attributes.c));
    else if (name === "tab") this.text += "\t";
    else if (name === "line-break") this.text += "\n";
  }
  take(): string {
    const { text } = this;
    this.text = "";
    return cleanText(text).trim();
  }
}

/** Elements that aren't part of the text. */
const skipped = new Set([
  "tracked-changes",
  "forms",
  "font-face-decls",
  "dde-links",
  "master-styles",
]);
/** Elements that lie over the cells. */
const drawings = new Set(["shapes", "frame", "g", "custom-shape", "rect", "ellipse", "caption"]);
/** Cells merged over rows at the same time. */
const maxSpans = 1_000;

type Attributes = Record<string, string>;

interface Cell {
  attributes: Attributes;
  lines: string[];
  target: string | undefined;
}

/** A cell that is merged with cells of the next rows. */
interface Span {
  value: string;
  column: number;
  columns: number;
  rowsLeft: number;
}

interface Sheet extends SheetGaps {
  builder: SheetBuilder;
  hints: { certain: Set<number>; likely: number | null };
  charts: string[];
  paragraphs: string[];
  row: number;
  column: number;
  hiddenColumns: { first: number; last: number }[];
  spans: Span[];
}

/** Sheets of an OpenDocument spreadsheet, each row with its column names. */
export async function parseOds(bytes: Uint8Array): Promise<ParsedPart[]> {
  const archive = await open(bytes, { code: "file-kind.spreadsheet" }, "spreadsheet");
  const reader = new SpreadsheetReader(archive.what);
  await readXmlPart(archive, "content.xml", reader);
  const parts: ParsedPart[] = [];
  for (const { builder, charts, paragraphs, ...sheet } of reader.sheets) {
    for (const text of paragraphs) builder.addParagraph(text);
    for (const chart of charts)
      builder.addParagraph(await readChartTitles(archive, path.join(chart, "content.xml")));
    noteSheetGaps(builder, sheet);
    const part = builder.build();
    if (part) parts.push(part);
  }
  return parts;
}

/** Reads content.xml element by element. */
class SpreadsheetReader {
  readonly sheets: Sheet[] = [];
  private readonly words = new OdfWords();
  private readonly hiddenStyles = new Set<string>();
  private style = "";
  private skip = 0;
  /** Depth of tables, drawings and paragraphs. */
  private tables = 0;
  private overlays = 0;
  private paragraphs = 0;
  private cells: [number, string][] = [];
  private merged = new Set<number>();
  private comments: CellComment[] = [];
  private rowAttributes: Attributes = {};
  private cell: Cell | null = null;
  private comment: { author: string; lines: string[] } | null = null;
  private inAuthor = false;
  private mergedLeft = maxMergedCells;

  constructor(private readonly what: KnownFault) {}

  readonly open = (name: string, attributes: Attributes): void => {
    if (this.skip > 0 || skipped.has(name)) {
      this.skip++;
      return;
    }
    const sheet = this.sheets.at(-1);
    if (drawings.has(name)) this.overlays++;
    if (name === "style") this.style = attributes.name ?? "";
    else if (name === "table-properties" && attributes.display === "false")
      this.hiddenStyles.add(this.style);
    else if (name === "table") {
      if (++this.tables === 1) this.startSheet(attributes);
    } else if (name === "table-column" && sheet) {
      const columns = Number(attributes["number-columns-repeated"]) || 1;
      if (attributes.visibility !== undefined && attributes.visibility !== "visible")
        sheet.hiddenColumns.push({ first: sheet.column, last: sheet.column + columns - 1 });
      sheet.column += columns;
    } else if (name === "table-row" && sheet) {
      this.rowAttributes = attributes;
      this.cells = [];
      this.merged = new Set();
      this.comments = [];
      sheet.column = 0;
    } else if (name === "table-cell" || name === "covered-table-cell")
      this.cell = { attributes, lines: [], target: undefined };
    else if (name === "annotation") this.comment = { author: "", lines: [] };
    else if (name === "creator" && this.comment) this.inAuthor = true;
    else if (name === "object" && attributes.href && sheet) sheet.charts.push(attributes.href);
    else if (name === "p" || name === "h") this.paragraphs++;
    else if (this.paragraphs > 0) {
      if (name === "a" && this.cell) this.cell.target ??= attributes.href;
      this.words.open(name, attributes);
    }
  };

  readonly text = (text: string): void => {
    if (this.skip > 0) return;
    if (this.inAuthor && this.comment) this.comment.author += text;
    else if (this.paragraphs > 0) this.words.text += text.replace(/\s+/g, " ");
  };

  readonly close = (name: string): void => {
    if (this.skip > 0) {
      this.skip--;
      return;
    }
    const sheet = this.sheets.at(-1);
    if (drawings.has(name)) this.overlays--;
    if (name === "p" || name === "h") {
      this.paragraphs--;
      const text = this.words.take();
      if (this.comment) this.comment.lines.push(text);
      else if (this.overlays > 0) sheet?.paragraphs.push(text);
      else this.cell?.lines.push(text);
    } else if (name === "creator") this.inAuthor = false;
    else if (name === "annotation" && this.comment && sheet) {
      const { author, lines } = this.comment;
      this.comments.push({ column: sheet.column, author: author.trim(), text: lines.join("\n") });
      this.comment = null;
    } else if (name === "table") this.tables--;
    else if ((name === "table-cell" || name === "covered-table-cell") && this.cell && sheet)
      this.endCell(sheet, this.cell);
    else if (name === "table-row" && sheet) this.endRow(sheet);
    // Rows that are printed on each page.
    else if (name === "table-header-rows" && sheet) sheet.hints.likely = sheet.row - 1;
  };

  private startSheet({ name = "", "style-name": style = "" }: Attributes): void {
    const isHidden = this.hiddenStyles.has(style);
    const hints = { certain: new Set<number>(), likely: null };
    const shownName = isHidden ? markHidden(name) : name;
    const builder = new SheetBuilder(this.what, shownName, this.sheets.length, hints);
    if (isHidden) builder.note({ code: "file-note.sheet-hidden", params: { name } });
    this.sheets.push({
      builder,
      hints,
      charts: [],
      paragraphs: [],
      row: 0,
      column: 0,
      hiddenRows: 0,
      hiddenColumns: [],
      formulas: 0,
      widest: 0,
      spans: [],
    });
  }

  private endCell(sheet: Sheet, cell: Cell): void {
    this.cell = null;
    const { attributes } = cell;
    const repeated = Number(attributes["number-columns-repeated"]) || 1;
    const value = cellText(cell);
    if (value.startsWith("=") && attributes.formula) sheet.formulas++;
    const columns = countRepeated(attributes["number-columns-spanned"]);
    const rows = Number(attributes["number-rows-spanned"]) || 1;
    if (value !== "" && (columns > 1 || rows > 1)) {
      this.repeat(value, sheet.column, columns);
      if (rows > 1 && sheet.spans.length < maxSpans)
        sheet.spans.push({ value, column: sheet.column, columns, rowsLeft: rows });
    } else if (value !== "")
      // A repeated value is written each time; repeated empty cells only advance the column.
      for (let i = 0; i < countRepeated(String(repeated)); i++)
        this.cells.push([sheet.column + i, value]);
    sheet.column += repeated;
    if (value !== "") sheet.widest = Math.max(sheet.widest, sheet.column);
  }

  /** Writes a merged cell in all its columns. */
  private repeat(value: string, column: number, columns: number): void {
    for (let i = 0; i < columns && this.mergedLeft > 0; i++, this.mergedLeft--) {
      this.cells.push([column + i, value]);
      if (i > 0) this.merged.add(column + i);
    }
  }

  private endRow(sheet: Sheet): void {
    const repeated = Number(this.rowAttributes["number-rows-repeated"]) || 1;
    const filled = new Set(this.cells.map(([column]) => column));
    const isFilled = filled.size > 0;
    for (const span of sheet.spans) {
      // The first row has the cell itself.
      if (isFilled && !filled.has(span.column)) this.repeat(span.value, span.column, span.columns);
      span.rowsLeft -= repeated;
    }
    sheet.spans = sheet.spans.filter(({ rowsLeft }) => rowsLeft > 0);
    this.cells.sort(([a], [b]) => a - b);
    if (isFilled && (this.rowAttributes.visibility ?? "visible") !== "visible")
      sheet.hiddenRows += repeated;
    for (let i = 0; i < (isFilled ? countRepeated(String(repeated)) : 1); i++)
      sheet.builder.addRow(sheet.row + i, this.cells, this.merged, i === 0 ? this.comments : []);
    sheet.row += repeated;
  }
}

/** The shown text, with unambiguous dates, all digits, and formulas that have no result. */
function cellText({ attributes, lines, target }: Cell): string {
  const shown = lines.join("\n").trim();
  const { "value-type": type, value = "", "date-value": date = "", formula } = attributes;
  if (type === "date" && date !== "") {
    const [day = "", time = ""] = date.split("T");
    const clock = time.replace(/^(\d\d:\d\d):00(?:\.0+)?$/, "$1");
    return clock === "" || clock === "00:00" ? day : `${day} ${clock}`;
  }
  if (type === "float" && (shown === "" || /\dE[-+]?\d/.test(shown)) && value !== "")
    return plainNumber(Number(value));
  if (shown !== "") return addTarget(shown, target);
  if (type === undefined && formula) return plainFormula(formula);
  return attributes["string-value"] ?? value;
}

/** "of:=SUM([.B2:.B4])" as spreadsheet programs show it. */
const plainFormula = (formula: string): string =>
  `=${formula
    .replace(/^\w*:?=/, "")
    .replace(/\[([^\]]*)\]/g, (_, place: string) =>
      place.replace(/(^|:)\./g, "$1").replace(/\./g, "!"),
    )}`;
