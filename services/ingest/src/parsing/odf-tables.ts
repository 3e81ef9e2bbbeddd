import type { Block } from "./office-block.ts";
import { TableGrid } from "./table-grid.ts";

/** Limit on repeats of one cell, since tables may be padded. */
const maxRepeated = 200;
const count = (value: string | undefined, limit = maxRepeated): number =>
  Math.min(limit, Math.max(1, Math.trunc(Number(value)) || 1));

interface OpenTable {
  grid: TableGrid;
  isHeader: boolean;
  cell: { columns: number; rows: number; repeated: number };
}

/** Open tables of an OpenDocument text, the innermost last, with their merged cells. */
export class OdfTables {
  private readonly tables: OpenTable[] = [];

  /** Whether the element belongs to a table's structure. */
  open(name: string, attributes: Record<string, string>): boolean {
    if (name === "table") {
      this.tables.push({
        grid: new TableGrid(),
        isHeader: false,
        cell: { columns: 1, rows: 1, repeated: 1 },
      });
      return true;
    }
    const table = this.tables.at(-1);
    if (!table) return false;
    if (name === "table-header-rows") table.isHeader = true;
    else if (name === "table-rows") table.isHeader = false;
    else if (name === "table-row") table.grid.startRow(table.isHeader);
    else if (name === "table-cell")
      table.cell = {
        columns: count(attributes["number-columns-spanned"]),
        rows: count(attributes["number-rows-spanned"], Infinity),
        repeated: count(attributes["number-columns-repeated"]),
      };
    else if (name === "covered-table-cell")
      for (let i = count(attributes["number-columns-repeated"]); i > 0; i--) table.grid.cover();
    else return false;
    return true;
  }

  closeHeader(): void {
    const table = this.tables.at(-1);
    if (table) table.isHeader = false;
  }

  closeCell(blocks: Block[]): void {
    const table = this.tables.at(-1);
    if (!table) return;
    const { grid, cell } = table;
    const { column } = grid;
    for (let i = 0; i < cell.repeated; i++) grid.add(i === 0 ? blocks : [...blocks]);
    if (cell.rows > 1) grid.openRowsBelow(column, cell.columns, cell.rows);
  }

  closeTable(): TableGrid | null {
    return this.tables.pop()?.grid ?? null;
  }
}
