import type { Table } from "./write-rows.ts";

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
/** Longer cells, in characters, are sentences rather than names of columns. */
const longestName = 40;

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

/**
 * Whether the first row of a table without header cells names the columns. Word and many web pages
 * don't mark header rows. Two columns are more likely names and values, row by row.
 */
function hasUnmarkedHeader(rows: HtmlNode[][]): boolean {
  const [header, ...values] = rows;
  if (header === undefined || header.length < 3 || values.length < 2) return false;
  const isGrid = rows.every(
    (cells) =>
      cells.length === header.length &&
      cells.every(({ name, attribs }) => name === "td" && !(Number(attribs?.colspan) > 1)),
  );
  if (!isGrid) return false;
  const names = header.map(cellText);
  if (new Set(names).size < names.length) return false;
  if (!names.every((name) => name.length <= longestName && /^[^\p{N}\n]+$/u.test(name)))
    return false;
  const hasNumbers = header.some((_, column) =>
    values.every((cells) => /\p{N}/u.test(cellText(cells[column]!))),
  );
  return hasNumbers || (header.every(isBold) && !values.some((cells) => cells.every(isBold)));
}

/**
 * A table with column names, or null if it is a layout table, contains tables or headings, or has
 * cells spanning rows (whose columns could only be guessed).
 */
export function readDataTable(table: HtmlNode): Table | null {
  const rows: { cells: HtmlNode[]; inHead: boolean }[] = [];
  const stack: { node: HtmlNode; inHead: boolean }[] = [{ node: table, inHead: false }];
  while (stack.length > 0) {
    const { node, inHead } = stack.pop()!;
    if (node !== table && (node.name === "table" || /^h[1-6]$/.test(node.name ?? ""))) return null;
    if (Number(node.attribs?.rowspan) > 1) return null;
    if (node.name === "tr")
      rows.push({
        cells: (node.children ?? []).filter((child) => child.name === "td" || child.name === "th"),
        inHead,
      });
    for (let i = (node.children ?? []).length - 1; i >= 0; i--)
      stack.push({ node: node.children![i]!, inHead: inHead || node.name === "thead" });
  }
  const filled = rows.filter(({ cells }) => cells.length > 0);
  let headerRows = 0;
  while (
    headerRows < filled.length &&
    (filled[headerRows]!.inHead ||
      (headerRows === 0 && filled[0]!.cells.every((cell) => cell.name === "th")))
  )
    headerRows++;
  if (headerRows === 0 && hasUnmarkedHeader(filled.map(({ cells }) => cells))) headerRows = 1;
  if (
    headerRows === 0 ||
    headerRows === filled.length ||
    filled.some(({ cells }) => cells.length > maxColumns)
  )
    return null;
  return {
    headerRows,
    rows: filled.map(({ cells }, r) =>
      cells.flatMap((cell) => {
        const span = Math.min(maxColumns, Math.max(1, Number(cell.attribs?.colspan) || 1));
        const text = cellText(cell);
        // A header that spans columns names each of them; a value that spans columns is one value.
        return Array.from({ length: span }, (_, i) => (i === 0 || r < headerRows ? text : ""));
      }),
    ),
  };
}
