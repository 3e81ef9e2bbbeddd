import type { KnownFault } from "@carrel/contracts";
import { clipText } from "@carrel/contracts/clip-text";
import { collectColumns, covers, type ColumnCells } from "./column-cells.ts";
import { cleanText } from "./decode-text.ts";
import {
  extendHeader,
  findHeader,
  isKeyValueList,
  mayBeNames,
  nameColumns,
} from "./header-rows.ts";
import { UnreadableError, longestText, tooLong, type ParsedPart } from "./parsed-document.ts";
import {
  ColumnLabels,
  countOwn,
  isSame,
  keyValue,
  oneLine,
  sideBySide,
  type CellComment,
  type SheetRow,
} from "./sheet-row.ts";

/** Columns read per row: Excel's maximum. */
const maxColumns = 16_384;
const maxSheets = 500;
/** Rows looked at to find the names of the columns. */
const lookedAt = 50;
/** Rows of pairs before a table that may describe it. */
const longestPreamble = 6;

/** What a file says about its header rows, as positions of rows. */
export interface HeaderHints {
  /** Header rows of tables and filters, which are certain. */
  certain: ReadonlySet<number>;
  /** The last row that stays in view, or is printed on each page. */
  likely: number | null;
}

interface Table {
  names: ReadonlyMap<number, string>;
  /** Cells beyond the last name are called by their number; before, they are row labels. */
  lastNamed: number;
  /** The rows that name the columns, which may be repeated on each page. */
  header: SheetRow[];
  /** Kinds of the cells by column. */
  columns: Map<number, ColumnCells>;
}

const noHints: HeaderHints = { certain: new Set(), likely: null };
/**
 * Turns the rows of one sheet into text. Blank rows separate blocks; each is a table, whose rows
 * become paragraphs of `name: value` lines, or lines that are kept as they are (titles, remarks,
 * tables without names).
 */
export class SheetBuilder {
  private readonly parts: string[] = [];
  private readonly notes = new Map<string, KnownFault>();
  private length = 0;
  private lastIsLine = false;
  private lastIndex = -1;
  /** Rows of the current block until it is known what they are. */
  private block: SheetRow[] = [];
  private isDecided = false;
  /** Whether the current block consists of the table's rows. */
  private inTable = false;
  private table: Table | null = null;
  private readonly labels = new ColumnLabels();
  /**
   * A block before any table: a row that may name the columns of the next block, or pairs of texts,
   * which are a table only if none follows.
   */
  private pending: SheetRow[] = [];

  constructor(
    private readonly what: KnownFault,
    private readonly name: string,
    index: number,
    private readonly hints: HeaderHints = noHints,
  ) {
    if (index >= maxSheets)
      throw new UnreadableError({
        code: "file.too-many-sheets",
        params: { what, limit: maxSheets },
      });
  }

  /** `index` is the row's position. Cells may be blank or missing; only filled ones cost time. */
  addRow(
    index: number,
    cells: Iterable<readonly [column: number, value: string]>,
    merged?: ReadonlySet<number>,
    comments: CellComment[] = [],
  ): void {
    const filled = new Map<number, string>();
    for (const [column, value] of cells) {
      const text = cleanText(value).trim();
      if (text !== "" && column < maxColumns) filled.set(column, text);
    }
    if (filled.size === 0 && comments.length === 0) return;
    if (index > this.lastIndex + 1) this.endBlock();
    this.lastIndex = index;
    const row: SheetRow = {
      index,
      cells: filled,
      ...(merged?.size && { merged }),
      ...(comments.length > 0 && { comments }),
    };
    if (this.isDecided) {
      this.write(row);
      return;
    }
    this.block.push(row);
    if (this.block.length === lookedAt) this.decide();
  }

  /** Adds a paragraph that isn't part of the cells, such as a chart's title. */
  addParagraph(text: string): void {
    this.endBlock();
    const clean = cleanText(text).trim();
    if (clean !== "") this.add(clean, false);
  }

  note(note: KnownFault): void {
    this.notes.set(JSON.stringify(note), note);
  }

  /** Null for an empty sheet. */
  build(): ParsedPart | null {
    this.endBlock();
    const [names, ...body] = this.pending;
    if (names && body.length > 0) {
      this.pending = [];
      this.startTable([names], body);
    } else this.flushPending();
    const text = this.parts.join("");
    return text === ""
      ? null
      : {
          name: this.name.trim() || "Sheet",
          text,
          headings: [],
          pages: [],
          notes: [...this.notes.values()],
        };
  }

  private endBlock(): void {
    if (!this.isDecided && this.block.length > 0) this.decide();
    this.isDecided = false;
    this.inTable = false;
    this.lastIsLine = false;
  }

  /** Finds out what the block's first rows are, and writes them. */
  private decide(): void {
    const rows = this.block;
    this.block = [];
    this.isDecided = true;
    const firstWide = rows.findIndex((row) => countOwn(row) > 1);
    if (firstWide < 0) {
      for (const row of rows) this.writeLine(row);
      return;
    }
    const certain = rows.findIndex(({ index }) => this.hints.certain.has(index));
    const likely = rows.findIndex(({ index }) => index === this.hints.likely);
    const continues = this.continuesTable(rows);
    const isList = isKeyValueList(rows);
    const header =
      certain >= 0
        ? extendHeader(rows, certain, true)
        : isList
          ? null
          : findHeader(rows, likely < 0 ? null : likely);
    // Names that are like the cells below may as well be a row of the table above.
    const isUnclear = header !== null && !header.isSure && continues && this.isLikeTable(rows);
    const titles = rows.slice(0, firstWide);
    if (header && !header.isSure && this.mayBePreamble(rows)) {
      for (const row of titles) this.writeLine(row);
      this.pending = rows.slice(firstWide);
    } else if (header && !isUnclear) {
      this.flushPending();
      for (const row of rows.slice(0, header.first)) this.writeLine(row);
      this.startTable(rows.slice(header.first, header.last + 1), rows.slice(header.last + 1));
    } else if (continues && !(isUnclear && firstWide > 0)) {
      for (const row of titles) this.writeLine(row);
      this.inTable = true;
      for (const row of rows.slice(firstWide)) this.write(row);
    } else if (isList) {
      this.flushPending();
      for (const row of rows) this.writeLine(row, countOwn(row) > 1 ? keyValue(row) : undefined);
    } else if (this.pending.length > 0 && covers(nameColumns(this.pending.slice(0, 1)), rows)) {
      const [names, ...body] = this.pending;
      this.pending = [];
      this.startTable([names!], body);
      this.inTable = false;
      for (const row of titles) this.writeLine(row);
      this.inTable = true;
      for (const row of rows.slice(firstWide)) this.write(row);
    } else {
      this.flushPending();
      const isAlone = rows.length === firstWide + 1 && mayBeNames(rows[firstWide]!);
      for (const row of isAlone ? titles : rows) this.writeLine(row);
      if (isAlone) this.pending = rows.slice(firstWide);
    }
  }

  /** Whether the first pairs of texts may describe what follows: "Client | Lysander Moot". */
  private mayBePreamble(rows: readonly SheetRow[]): boolean {
    return (
      this.table === null &&
      this.pending.length === 0 &&
      rows.length <= longestPreamble &&
      rows.every((row) => row.cells.size <= 2)
    );
  }

  private startTable(header: SheetRow[], body: SheetRow[]): void {
    const names = nameColumns(header);
    const lastNamed = Math.max(...names.keys());
    this.table = { names, lastNamed, header, columns: collectColumns(body) };
    this.inTable = true;
    for (const row of header) this.writeRecord(row, []);
    for (const row of body) this.write(row);
  }

  /** Whether a block belongs to the table above it: the same columns with the same kinds of cells. */
  private continuesTable(rows: readonly SheetRow[]): boolean {
    const { table } = this;
    if (table === null || this.pending.length > 0 || !covers(table.names, rows)) return false;
    const own = rows.filter(
      (row) => countOwn(row) > 1 && !table.header.some((other) => isSame(row, other)),
    );
    return [...collectColumns(own)].every(([column, cells]) => {
      const known = table.columns.get(column);
      return !known || Math.abs(known.share("text") - cells.share("text")) < 0.6;
    });
  }

  /** Whether the rows fill exactly the table's columns. */
  private isLikeTable(rows: readonly SheetRow[]): boolean {
    const columns = collectColumns(rows.filter((row) => countOwn(row) > 1));
    const known = this.table?.columns;
    return columns.size === known?.size && [...columns.keys()].every((column) => known.has(column));
  }

  private write(row: SheetRow): void {
    const { table } = this;
    if (!this.inTable || table === null) {
      this.writeLine(row);
      return;
    }
    // A cell merged over the whole row is a title within the table.
    if (countOwn(row) === 1 && row.cells.size > 1 && row.cells.size * 2 > table.names.size) {
      this.writeLine(row);
      return;
    }
    const lines: string[] = [];
    // Names that are repeated on each page are left out.
    if (!table.header.some((other) => isSame(row, other)))
      for (const [column, value] of row.cells) {
        const name =
          table.names.get(column) ?? (column > table.lastNamed && `column ${column + 1}`);
        lines.push(this.labels.write(name || "", value));
      }
    this.writeRecord(row, lines);
  }

  /** A paragraph with the comments on its cells. */
  private writeRecord(row: SheetRow, lines: string[]): void {
    if (row.comments) lines.push(...this.describeComments(row));
    if (lines.length > 0) this.add(lines.join("\n"), false);
  }

  private writeLine(row: SheetRow, text = sideBySide(row)): void {
    if (text !== "") this.add(text, true);
    for (const line of this.describeComments(row)) this.add(line, true);
  }

  private describeComments({ cells, comments = [] }: SheetRow): string[] {
    return comments.map(({ column, author, text }) => {
      const name = (this.inTable && this.table?.names.get(column)) || cells.get(column);
      const place = name === undefined ? "" : ` on ${clipText(oneLine(name), 100)}`;
      const by = author === "" ? "" : ` by ${author}`;
      return cleanText(`Comment${place}${by}: ${text.trim()}`);
    });
  }

  private flushPending(): void {
    this.lastIsLine = false;
    for (const row of this.pending) this.writeLine(row);
    this.pending = [];
    this.lastIsLine = false;
  }

  private add(text: string, isLine: boolean): void {
    const gap = this.parts.length === 0 ? "" : isLine && this.lastIsLine ? "\n" : "\n\n";
    this.length += text.length + gap.length;
    if (this.length > longestText) throw tooLong(this.what);
    this.parts.push(gap, text);
    this.lastIsLine = isLine;
  }
}
