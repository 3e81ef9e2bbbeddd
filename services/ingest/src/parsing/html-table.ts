import { firstRowNamesColumns } from "./table-grid.ts";
import type { Table } from "./write-table.ts";

/** The part of a parsed node that is used here (domhandler's shape). */
export interface HtmlNode {
  type: string;
  name?: string;
  data?: string;
  attribs?: Record<string, string>;
  children?: HtmlNode[];
  parent?: HtmlNode | null;
}

const inline = new Set([
  "a",
  "abbr",
  "b",
  "bdi",
  "bdo",
  "cite",
  "code",
  "em",
  "font",
  "i",
  "kbd",
  "mark",
  "q",
  "s",
  "samp",
  "small",
  "span",
  "strong",
  "sub",
  "sup",
  "time",
  "u",
  "var",
  "wbr",
]);
const maxColumns = 200;
/** Far more than any table has, spans included. */
const maxSlots = 1_000_000;
/** Longer cells are paragraphs. */
const longestValue = 500;
const missing = { cell: { type: "tag", name: "td" }, text: "" };

/**
 * Text of a cell, with its blocks as lines. Iterative, because a cell may be nested deeper than the
 * stack.
 */
function cellText(cell: HtmlNode): string {
  const parts: string[] = [];
  const stack: HtmlNode[] = [cell];
  while (stack.length > 0) {
    const node = stack.pop()!;
    if (node.type === "text") parts.push((node.data ?? "").replace(/[\s\u00a0]+/g, " "));
    else {
      if (node !== cell && node.name !== undefined && !inline.has(node.name)) parts.push("\n");
      for (let i = (node.children ?? []).length - 1; i >= 0; i--) stack.push(node.children![i]!);
    }
  }
  return parts
    .join("")
    .replace(/ *\n[\s]*/g, "\n")
    .trim();
}

/** Whether it has text and all of it is bold. Iterative, like `cellText`. */
function isBold(cell: HtmlNode): boolean {
  let hasText = false;
  const stack: HtmlNode[] = [cell];
  while (stack.length > 0) {
    const node = stack.pop()!;
    if (node.name === "b") hasText ||= cellText(node) !== "";
    else if (node.type === "text" && (node.data ?? "").trim() !== "") return false;
    else for (const child of node.children ?? []) stack.push(child);
  }
  return hasText;
}

/** A place in a table; a cell that spans several is in each of them. */
interface Slot {
  cell: HtmlNode;
  text: string;
}

const spanOf = (cell: HtmlNode, name: "rowspan" | "colspan", most: number): number =>
  Math.min(most, Math.max(1, Math.trunc(Number(cell.attribs?.[name])) || 1));

/** Puts each cell into all rows and columns that it spans; null if there are too many columns. */
function spreadCells(rows: HtmlNode[][]): Slot[][] | null {
  const grid: Slot[][] = rows.map(() => []);
  let slots = 0;
  for (const [r, cells] of rows.entries()) {
    let column = 0;
    for (const cell of cells) {
      while (grid[r]![column]) column++;
      const slot = { cell, text: cellText(cell) };
      const height = spanOf(cell, "rowspan", rows.length - r);
      const width = spanOf(cell, "colspan", maxColumns);
      if (column + width > maxColumns || (slots += height * width) > maxSlots) return null;
      for (let y = r; y < r + height; y++)
        for (let x = column; x < column + width; x++) grid[y]![x] ??= slot;
      column += width;
    }
  }
  return grid.map((row) => Array.from(row, (slot) => slot ?? missing));
}

/** Whether the first row names the columns though no cell says so. */
function hasUnmarkedHeader(rows: Slot[][]): boolean {
  const isGrid = rows.every((slots) =>
    slots.every(({ cell }) => cell.name === "td" && !(Number(cell.attribs?.colspan) > 1)),
  );
  return (
    isGrid &&
    firstRowNamesColumns(
      rows,
      ({ text }) => text,
      ({ cell }) => isBold(cell),
    )
  );
}

/** The rows of a table; null if it contains tables or headings. */
function readRows(table: HtmlNode): { cells: HtmlNode[]; inHead: boolean }[] | null {
  const rows: { cells: HtmlNode[]; inHead: boolean }[] = [];
  const stack: { node: HtmlNode; inHead: boolean }[] = [{ node: table, inHead: false }];
  while (stack.length > 0) {
    const { node, inHead } = stack.pop()!;
    if (node !== table && (node.name === "table" || /^h[1-6]$/.test(node.name ?? ""))) return null;
    if (node.name === "tr")
      rows.push({
        cells: (node.children ?? []).filter((child) => child.name === "td" || child.name === "th"),
        inHead,
      });
    for (let i = (node.children ?? []).length - 1; i >= 0; i--)
      stack.push({ node: node.children![i]!, inHead: inHead || node.name === "thead" });
  }
  return rows.filter(({ cells }) => cells.length > 0);
}

/**
 * A table in pieces that repeat its column names, and between them the rows of a single cell, which
 * head what follows. Null if it is a layout table, or contains tables or headings. A table without
 * column names is read only if its cells span rows, so that each row has its value.
 */
export function readDataTable(table: HtmlNode): (Table | string)[] | null {
  const rows = readRows(table);
  const grid = rows && spreadCells(rows.map(({ cells }) => cells));
  if (!rows || !grid) return null;
  let headerRows = 0;
  while (
    headerRows < rows.length &&
    (rows[headerRows]!.inHead ||
      (headerRows === 0 && rows[0]!.cells.every((cell) => cell.name === "th")))
  )
    headerRows++;
  if (headerRows === 0 && hasUnmarkedHeader(grid)) headerRows = 1;
  if (headerRows === rows.length) return null;
  if (headerRows === 0 && !hasSpannedRows(grid)) return null;
  const header = grid.slice(0, headerRows).map((slots) => slots.map(({ text }) => text));
  const pieces: (Table | string)[] = [];
  let piece: Table | null = null;
  for (const slots of grid.slice(headerRows)) {
    const [first] = slots;
    if (slots.length > 1 && slots.every(({ cell }) => cell === first!.cell)) {
      pieces.push(first!.text);
      piece = null;
      continue;
    }
    if (!piece) pieces.push((piece = { headerRows, rows: [...header] }));
    piece.rows.push(slots.map(({ text }) => text));
  }
  return pieces;
}

/** Whether cells of some length span rows; longer ones are the columns of a page. */
const hasSpannedRows = (grid: Slot[][]): boolean =>
  grid.some((slots) => slots.some(({ cell }) => Number(cell.attribs?.rowspan) > 1)) &&
  grid.every((slots) => slots.every(({ text }) => text.length <= longestValue));
