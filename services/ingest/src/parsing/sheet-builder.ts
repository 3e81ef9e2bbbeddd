import { cleanText } from "./decode-text.ts";
import { longestText, tooLong, UnreadableError, type ParsedPart } from "./parsed-document.ts";
import { writeRow } from "./write-rows.ts";

/** Columns of one row that are read: as many as Excel has. */
const mostColumns = 16_384;
const mostSheets = 500;

/**
 * Rows of one sheet to text. Lines before the table (a title, a remark: one cell filled) stay as
 * they are; the first row
 * with two or more cells of words names the columns; every row after it is a paragraph of `header:
 * value` lines.
 */
export class SheetBuilder {
  private readonly paragraphs: string[] = [];
  private header: string[] | null = null;
  private hasHeader = false;
  private length = 0;

  constructor(
    private readonly what: string,
    private readonly name: string,
    index: number,
  ) {
    if (index >= mostSheets)
      throw new UnreadableError(
        `${what} has more than ${mostSheets} sheets, the most that are read.`,
      );
  }

  /** Cells by column, with holes where a cell is empty. */
  addRow(row: string[]): void {
    const cells = Array.from({ length: Math.min(row.length, mostColumns) }, (_, i) =>
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
    this.add(
      this.hasHeader ? writeRow(this.header, cells) : cells.join(" | ").replace(/( \| )+$/, ""),
    );
  }

  /** Null for a sheet without a word. */
  build(): ParsedPart | null {
    // A header alone is all that the sheet says.
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
