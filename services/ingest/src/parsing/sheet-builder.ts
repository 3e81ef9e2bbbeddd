import type { KnownFault } from "@carrel/contracts";
import { cleanText } from "./decode-text.ts";
import { longestText, tooLong, UnreadableError, type ParsedPart } from "./parsed-document.ts";
import { joinCells, writeRow } from "./write-rows.ts";

/** Columns read per row: Excel's maximum. */
const maxColumns = 16_384;
const maxSheets = 500;

/**
 * Turns the rows of one sheet into text. Lines before the table with one filled cell (a title, a
 * remark) are kept as they are; the first row with two or more cells of text names the columns;
 * each later row becomes a paragraph of `header: value` lines.
 */
export class SheetBuilder {
  private readonly paragraphs: string[] = [];
  private header: string[] | null = null;
  private hasHeader = false;
  private length = 0;

  constructor(
    private readonly what: KnownFault,
    private readonly name: string,
    index: number,
  ) {
    if (index >= maxSheets)
      throw new UnreadableError({
        code: "file.too-many-sheets",
        params: { what, limit: maxSheets },
      });
  }

  /** Cells by column, with holes for empty cells. */
  addRow(row: string[]): void {
    const cells = Array.from({ length: Math.min(row.length, maxColumns) }, (_, i) =>
      cleanText(row[i] ?? "").trim(),
    );
    const filled = cells.filter((cell) => cell !== "");
    if (filled.length === 0) return;
    if (this.header === null) {
      if (filled.length < 2) {
        this.add(filled[0]!);
        return;
      }
      this.header = cells;
      this.hasHeader = filled.every((cell) => !/^[-+]?[\d.,\s%€$£]+$/.test(cell));
      if (this.hasHeader) return;
    }
    this.add(this.hasHeader ? writeRow(this.header, cells) : joinCells(cells));
  }

  /** Null for an empty sheet. */
  build(): ParsedPart | null {
    // Without rows, the header is the only content.
    if (this.paragraphs.length === 0 && this.header)
      this.add(this.header.filter((cell) => cell !== "").join(" | "));
    const text = this.paragraphs.join(this.hasHeader ? "\n\n" : "\n");
    return text === ""
      ? null
      : { name: this.name.trim() || "Sheet", text, headings: [], pages: [] };
  }

  private add(paragraph: string): void {
    this.length += paragraph.length + 2;
    if (this.length > longestText) throw tooLong(this.what);
    this.paragraphs.push(paragraph);
  }
}
