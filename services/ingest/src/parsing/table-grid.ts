import type { Block } from "./office-block.ts";
import type { Table } from "./write-table.ts";

/** Longer cells, in characters, are sentences rather than names of columns. */
const longestName = 40;

/**
 * Whether the first row of a table without header cells names the columns. Word and many web pages
 * don't mark header rows. Two columns are more likely names and values, row by row. The rows must be
 * equally long, without cells that span columns.
 */
export function firstRowNamesColumns<Cell>(
  rows: readonly (readonly Cell[])[],
  textOf: (cell: Cell) => string,
  isBold: (cell: Cell) => boolean,
): boolean {
  const [header, ...values] = rows;
  if (header === undefined || header.length < 3 || values.length < 2) return false;
  if (values.some((cells) => cells.length !== header.length)) return false;
  const names = header.map(textOf);
  if (new Set(names).size < names.length) return false;
  if (!names.every((name) => name.length <= longestName && /^[^\p{N}\n]+$/u.test(name)))
    return false;
  const hasNumbers = header.some((_, column) =>
    values.every((cells) => /\p{N}/u.test(textOf(cells[column]!))),
  );
  return hasNumbers || (header.every(isBold) && !values.some((cells) => cells.every(isBold)));
}

/** Word's limit is 63 and PowerPoint's 75. */
const maxColumns = 200;
/** Limit on the characters that merged cells repeat in one table: a guard against hostile files. */
const maxRepeated = 1_000_000;

interface Cell {
  blocks: Block[];
  /** A merged cell is written once in its file and fills the fields to its right and below it. */
  from: "own" | "left" | "above";
}

const ownCell = (blocks: Block[]): Cell => ({ blocks, from: "own" });
const isBoldText = ({ blocks }: Cell): boolean =>
  blocks.length > 0 && blocks.every((block) => block.kind === "paragraph" && block.isBold === true);

/** Cells of a table in an Office document, with merged cells spread over the fields they cover. */
export class TableGrid {
  readonly rows: Cell[][] = [];
  private markedRows = 0;
  private readonly openRows: number[] = [];

  startRow(isHeader = false): void {
    this.rows.push([]);
    if (isHeader && this.markedRows === this.rows.length - 1) this.markedRows++;
  }

  /** Marks the current row as a header, if those above it are headers too. */
  markHeader(): void {
    if (this.markedRows === this.rows.length - 1) this.markedRows++;
  }

  dropRow(): void {
    if (this.markedRows === this.rows.length) this.markedRows--;
    this.rows.pop();
  }

  /** The column of the next cell. */
  get column(): number {
    return this.rows.at(-1)?.length ?? 0;
  }

  add(blocks: Block[], columns = 1): void {
    const row = this.rows.at(-1);
    if (!row || row.length >= maxColumns) {
      // Beyond the limit nothing is spread, and no text is lost.
      for (const block of blocks) row?.at(-1)?.blocks.push(block);
      return;
    }
    row.push(ownCell(blocks));
    this.spread(columns - 1);
  }

  /** The cell to the left covers these fields too. */
  spread(columns: number): void {
    const row = this.rows.at(-1);
    const left = row?.at(-1);
    if (!row || !left) return;
    const count = Math.min(columns, maxColumns - row.length);
    for (let i = 0; i < count; i++) row.push({ blocks: left.blocks, from: "left" });
  }

  /** The cell above covers these fields too. */
  continueAbove(columns = 1): void {
    const row = this.rows.at(-1);
    const above = this.rows.at(-2);
    if (!row) return;
    const count = Math.min(Math.max(1, columns), maxColumns - row.length);
    for (let i = 0; i < count; i++) {
      const cell = above?.[row.length];
      row.push(
        cell ? { blocks: cell.blocks, from: cell.from === "left" ? "left" : "above" } : ownCell([]),
      );
    }
  }

  /** Says that the cell just added covers fields in further rows, from the given column on. */
  openRowsBelow(column: number, columns: number, rows: number): void {
    for (let i = column; i < Math.min(maxColumns, column + columns); i++)
      this.openRows[i] = rows - 1;
  }

  /** A field that its file only marks as covered, without saying from where. */
  cover(): void {
    const open = this.openRows[this.column] ?? 0;
    if (open > 0) {
      this.openRows[this.column] = open - 1;
      this.continueAbove();
    } else if (this.column > 0) this.spread(1);
    else this.add([]);
  }

  /** Whether it lays out a page: it has one column, or holds headings or tables. */
  get isLayout(): boolean {
    return (
      this.rows.every((row) => row.length < 2) ||
      this.rows.some((row) =>
        row.some(
          ({ blocks, from }) =>
            from === "own" &&
            blocks.some(({ kind }) => kind === "heading" || kind === "table" || kind === "parsed"),
        ),
      )
    );
  }

  /** Contents of the cells in order, each once. */
  get contents(): Block[][][] {
    return this.rows.map((row) =>
      row.filter(({ from }) => from === "own").map(({ blocks }) => blocks),
    );
  }

  /** Text of its fields; merged cells repeat theirs in each row, and names in each column. */
  toTable(textOf: (blocks: Block[]) => string): Table {
    const texts = new Map<Block[], string>();
    const read = (blocks: Block[]): string => {
      let text = texts.get(blocks);
      if (text === undefined) texts.set(blocks, (text = textOf(blocks)));
      return text;
    };
    const isGrid = !this.rows.some((row) => row.some(({ from }) => from === "left"));
    const headerRows =
      this.markedRows > 0
        ? this.markedRows
        : isGrid && firstRowNamesColumns(this.rows, ({ blocks }) => read(blocks), isBoldText)
          ? 1
          : 0;
    let repeated = 0;
    return {
      headerRows,
      rows: this.rows.map((row, r) =>
        row.map(({ blocks, from }) => {
          if (from === "own") return read(blocks);
          // A value that spans columns is one value.
          if (from === "left" && r >= headerRows) return "";
          const text = read(blocks);
          repeated += text.length;
          return repeated > maxRepeated ? "" : text;
        }),
      ),
    };
  }
}
