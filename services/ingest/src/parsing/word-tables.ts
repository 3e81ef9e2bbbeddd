import type { Block } from "./office-block.ts";
import { TableGrid } from "./table-grid.ts";
import { isOn } from "./word-styles.ts";

interface OpenTable {
  grid: TableGrid;
  isRowDeleted: boolean;
  cell: { columns: number; isContinued: boolean; isCovered: boolean; isDeleted: boolean };
}

const newCell = (): OpenTable["cell"] => ({
  columns: 1,
  isContinued: false,
  isCovered: false,
  isDeleted: false,
});
const rowProperties = new Set(["trPr", "tcPr"]);

/** Open tables of a Word document, the innermost last, with their merged cells. */
export class WordTables {
  private readonly tables: OpenTable[] = [];

  get isOpen(): boolean {
    return this.tables.length > 0;
  }

  /** Whether the element belongs to a table's structure. */
  open(name: string, parent: string, attributes: Record<string, string>): boolean {
    if (name === "tbl") {
      this.tables.push({ grid: new TableGrid(), isRowDeleted: false, cell: newCell() });
      return true;
    }
    const table = this.tables.at(-1);
    if (!table) return false;
    if (name === "tr") {
      table.grid.startRow();
      table.isRowDeleted = false;
    } else if (name === "tc") table.cell = newCell();
    else if (rowProperties.has(parent)) this.readProperty(table, name, attributes.val);
    else return false;
    return true;
  }

  closeCell(blocks: Block[]): void {
    const table = this.tables.at(-1);
    if (!table) return;
    const { columns, isContinued, isCovered, isDeleted } = table.cell;
    if (isDeleted) return;
    if (isContinued) table.grid.continueAbove(columns);
    else if (isCovered) table.grid.spread(columns);
    else table.grid.add(blocks, columns);
    // The table continues in the row's next cell, after an inner one.
    table.cell = newCell();
  }

  closeRow(): void {
    const table = this.tables.at(-1);
    if (table?.isRowDeleted) table.grid.dropRow();
  }

  closeTable(): TableGrid | null {
    return this.tables.pop()?.grid ?? null;
  }

  private readProperty({ grid, cell }: OpenTable, name: string, value: string | undefined): void {
    const table = this.tables.at(-1)!;
    if (name === "tblHeader" && isOn(value)) grid.markHeader();
    else if (name === "gridBefore")
      for (let i = 0; i < Math.min(63, Number(value) || 0); i++) grid.add([]);
    else if (name === "del" || name === "moveFrom") table.isRowDeleted = true;
    else if (name === "gridSpan") cell.columns = Math.min(63, Math.max(1, Number(value) || 1));
    else if (name === "vMerge") cell.isContinued = value !== "restart";
    else if (name === "hMerge") cell.isCovered = value !== "restart";
    else if (name === "cellDel") cell.isDeleted = true;
  }
}
