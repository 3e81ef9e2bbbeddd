import type { ColumnType, ReadSheet, SheetValue } from "./sheet-input.ts";

const formats: Record<ColumnType, string | undefined> = {
  text: undefined,
  number: undefined,
  integer: "#,##0",
  percent: "0.0%",
  currency: "#,##0.00",
  date: "yyyy-mm-dd",
  datetime: "yyyy-mm-dd hh:mm",
  boolean: undefined,
};

/** Writes sheets with a frozen, bold header row. */
export async function writeXlsx(
  sheets: readonly ReadSheet[],
  signal: AbortSignal,
): Promise<Uint8Array> {
  const { default: writeExcelFile } = await import("write-excel-file/node");
  signal.throwIfAborted();
  return writeExcelFile(
    sheets.map(({ name, columns, rows }) => ({
      sheet: name,
      stickyRowsCount: 1,
      columns: columns.map(({ width }) => ({ width })),
      data: [
        columns.map((column) => ({
          value: column.name,
          type: String,
          fontWeight: "bold" as const,
          backgroundColor: "#f6f4f1",
          bottomBorderColor: "#c3c0ba",
          bottomBorderStyle: "thin" as const,
          align: isNumeric(column.type) ? ("right" as const) : ("left" as const),
        })),
        ...rows.map((row) => row.map((value, index) => cellOf(value, columns[index]!.type))),
      ],
    })),
    { fontFamily: "Calibri", fontSize: 11 },
  ).toBuffer();
}

const isNumeric = (type: ColumnType): boolean =>
  type === "number" || type === "integer" || type === "percent" || type === "currency";

function cellOf(value: SheetValue, type: ColumnType) {
  if (value === null) return null;
  const format = formats[type] === undefined ? {} : { format: formats[type] };
  switch (value.kind) {
    // The type says that it is text, whatever it starts with.
    case "text":
      return {
        value: value.text,
        type: String,
        ...(value.text.includes("\n") ? { wrap: true } : {}),
        alignVertical: "top" as const,
      };
    case "number":
      return { value: value.number, type: Number, ...(isNumeric(type) ? format : {}) };
    case "boolean":
      return { value: value.boolean, type: Boolean };
    case "date":
      return {
        value: value.date,
        type: Date,
        align: "left" as const,
        format: value.hasTime ? formats.datetime! : formats.date!,
      };
    case "formula":
      return { value: value.formula, type: "Formula" as const, ...format };
  }
}
