import type { SheetBuilder } from "./sheet-builder.ts";

/** What a sheet lacks, or hides from those who open it. */
export interface SheetGaps {
  /** Formulas without a stored result. */
  formulas: number;
  hiddenRows: number;
  hiddenColumns: readonly { first: number; last: number }[];
  /** Number of filled columns: often all beyond the last one are hidden. */
  widest: number;
}

export function noteSheetGaps(
  builder: SheetBuilder,
  { formulas, hiddenRows: rows, hiddenColumns, widest }: SheetGaps,
): void {
  if (formulas > 0)
    builder.note({ code: "file-note.formulas-not-computed", params: { count: formulas } });
  const columns = hiddenColumns.reduce(
    (sum, { first, last }) => sum + Math.max(0, Math.min(last + 1, widest) - first),
    0,
  );
  if (rows > 0 || columns > 0)
    builder.note({ code: "file-note.hidden-cells", params: { rows, columns } });
}
