import type { Block, BlockTable } from "./office-block.ts";
import type { TextBuilder } from "./text-builder.ts";
import { writeTable } from "./write-table.ts";

/** Recognised text by the part of the picture. */
export type PictureTexts = ReadonlyMap<string, string>;

/** Longer cells, in characters, are text that a table lays out, and keep their paragraphs. */
const longestField = 400;

/** Text of blocks in a place that has no structure, such as a cell or a comment. */
export function textOfBlocks(blocks: readonly Block[], pictures?: PictureTexts): string {
  const lines: string[] = [];
  for (const block of blocks) {
    if (block.kind === "picture") lines.push(pictures?.get(block.part) ?? "");
    else if (block.kind === "parsed") lines.push(block.parsed.text);
    else if (block.kind === "table")
      lines.push(...writeTable(block.grid.toTable((inner) => textOfBlocks(inner, pictures))));
    else if (block.kind === "slide") lines.push(block.title);
    else lines.push(block.text);
  }
  return lines.filter((line) => line !== "").join("\n");
}

function writeGrid(out: TextBuilder, grid: BlockTable, pictures: PictureTexts): void {
  if (!grid.isLayout) {
    const table = grid.toTable((blocks) => textOfBlocks(blocks, pictures));
    const isText =
      table.headerRows === 0 &&
      table.rows.some((row) =>
        row.some((cell) => cell.length > longestField && cell.includes("\n")),
      );
    if (!isText) {
      for (const text of writeTable(table)) out.addParagraph(text);
      return;
    }
  }
  for (const row of grid.contents) {
    const isLine =
      row.length > 1 &&
      row.every((blocks) => blocks.length < 2 && (blocks[0]?.kind ?? "paragraph") === "paragraph");
    if (isLine) out.addParagraph(row.map((blocks) => textOfBlocks(blocks, pictures)).join(" | "));
    else for (const blocks of row) writeBlocks(out, blocks, pictures);
  }
}

/** Writes blocks in order. Lists are lines, everything else is a separate paragraph. */
export function writeBlocks(
  out: TextBuilder,
  blocks: readonly Block[],
  pictures: PictureTexts,
): void {
  let isInList = false;
  for (const block of blocks) {
    if (isInList && block.kind !== "item") out.breakTo(2);
    switch (block.kind) {
      case "heading":
        out.addHeading(block.text, block.level);
        break;
      case "item":
        out.breakTo(isInList ? 1 : 2);
        out.add(block.text);
        out.breakTo(1);
        break;
      case "paragraph":
        out.addParagraph(block.text);
        break;
      case "picture":
        out.addParagraph(pictures.get(block.part) ?? "");
        break;
      case "table":
        writeGrid(out, block.grid, pictures);
        break;
      case "slide":
        out.startPage();
        out.addHeading(block.title, 1);
        break;
      case "parsed":
        out.addParsed(block.parsed);
        break;
    }
    isInList = block.kind === "item";
  }
  if (isInList) out.breakTo(2);
}
