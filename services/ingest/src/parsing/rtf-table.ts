import { Repetition } from "./column-labels.ts";
import { writeTable } from "./write-rows.ts";

/** The rows of one table of an RTF document, while they are read. */
export class RtfTable {
  private readonly rows: string[][] = [];
  private headerRows = 0;
  private isHeader = false;
  /** The current row's finished cells, and which of them continue the cell above. */
  private cells: string[] = [];
  private continued: boolean[] = [];
  private isContinued = false;
  /** Text of the cell being read. */
  private lines: string[] = [];
  private readonly repetition = new Repetition();

  startRow(): void {
    this.continued = [];
    this.isContinued = false;
    this.isHeader = false;
  }

  markHeader(): void {
    this.isHeader = true;
  }

  continueAbove(): void {
    this.isContinued = true;
  }

  defineCell(): void {
    this.continued.push(this.isContinued);
    this.isContinued = false;
  }

  addText(text: string): void {
    if (text !== "") this.lines.push(text);
  }

  endCell(): void {
    const column = this.cells.length;
    const own = this.lines.join("\n");
    this.repetition.addOwn(own);
    const above = this.continued[column] ? this.rows.at(-1)?.[column] : undefined;
    this.cells.push(above !== undefined && this.repetition.mayRepeat(above) ? above : own);
    this.lines = [];
  }

  endRow(): void {
    if (this.lines.length > 0) this.endCell();
    if (this.isHeader && this.headerRows === this.rows.length) this.headerRows++;
    this.rows.push(this.cells);
    this.cells = [];
  }

  get isOpen(): boolean {
    return this.cells.length > 0 || this.lines.length > 0;
  }

  /** The table's paragraphs. */
  write(): string[] {
    if (this.isOpen) this.endRow();
    const rows = this.rows.filter((row) => row.some((cell) => cell !== ""));
    return writeTable({ rows, headerRows: this.headerRows < rows.length ? this.headerRows : 0 });
  }
}
