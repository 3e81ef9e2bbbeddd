import type { Element, ElementContent, Root, RootContent } from "hast";

/**
 * A number with optional sign and unit: "2,345", "−8 °C", "61 %", "1450 euro"; or a placeholder for
 * none: "–".
 */
const numeric = /^(?:[-–—]|[+\-−~≈<>≤≥]?\s?[$€£¥]?\s?\d[\d.,'’\s]*(?:\s?[^\s\d]{1,6})?)$/u;
const isElement = (node: RootContent | ElementContent, name: string): node is Element =>
  node.type === "element" && node.tagName === name;
const textOf = (node: ElementContent): string =>
  node.type === "text"
    ? node.value
    : node.type === "element"
      ? node.children.map(textOf).join("")
      : "";
const rowsOf = (table: Element): Element[] =>
  table.children.flatMap((part) =>
    part.type === "element" ? part.children.filter((row) => isElement(row, "tr")) : [],
  );
const cellsOf = (row: Element): Element[] =>
  row.children.filter((cell): cell is Element => isElement(cell, "td") || isElement(cell, "th"));

function markColumns(table: Element): void {
  const [head, ...body] = rowsOf(table).map(cellsOf);
  if (!head || body.length === 0) return;
  for (const column of head.keys()) {
    const cells = body.flatMap((row) => row[column] ?? []);
    const words = cells.map((cell) => textOf({ ...cell }).trim()).filter((text) => text !== "");
    if (
      words.length === 0 ||
      !words.every((text) => numeric.test(text)) ||
      !words.some((text) => /\d/.test(text))
    )
      continue;
    for (const cell of [head[column], ...cells])
      if (cell) cell.properties = { ...cell.properties, className: ["num"] };
  }
}

/** rehype plugin: marks purely numeric table columns so that they are right-aligned. */
export function rehypeNumericColumns(): (tree: Root) => void {
  const visit = (node: Root | Element): void => {
    for (const child of node.children) {
      if (child.type !== "element") continue;
      if (child.tagName === "table") markColumns(child);
      else visit(child);
    }
  };
  return visit;
}
