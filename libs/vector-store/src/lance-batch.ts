import type { Data, Field, Schema, Table, Utf8 } from "apache-arrow";
import { arrow } from "./arrow.ts";
import type { LanceRow } from "./lance-row.ts";

/**
 * The rows as one Arrow batch. The library would build it value by value, which for vectors costs
 * more than the write itself.
 */
export function makeBatch(schema: Schema, rows: readonly LanceRow[]): Table {
  const children = schema.fields.map((field) => makeColumn(field, rows));
  const type = new arrow.Struct(schema.fields);
  return new arrow.Table(
    new arrow.RecordBatch(
      schema,
      arrow.makeData({ type, length: rows.length, nullCount: 0, children }),
    ),
  );
}

function makeColumn({ name, type }: Field, rows: readonly LanceRow[]): Data {
  const { length } = rows;
  if (type instanceof arrow.Utf8) return makeTexts(rows.map((row) => String(row[name])));
  if (type instanceof arrow.Int32)
    return arrow.makeData({
      type,
      length,
      nullCount: 0,
      data: Int32Array.from(rows, (row) => Number(row[name])),
    });
  if (type instanceof arrow.FixedSizeList) {
    const data = new Float32Array(length * type.listSize);
    for (const [n, row] of rows.entries()) data.set(row[name] as Float32Array, n * type.listSize);
    const child = arrow.makeData({
      type: new arrow.Float32(),
      length: data.length,
      nullCount: 0,
      data,
    });
    return arrow.makeData({ type, length, nullCount: 0, child });
  }
  throw new TypeError(`No column of type ${String(type)} is known.`);
}

function makeTexts(texts: string[]): Data<Utf8> {
  const valueOffsets = new Int32Array(texts.length + 1);
  for (const [n, text] of texts.entries())
    valueOffsets[n + 1] = valueOffsets[n]! + Buffer.byteLength(text);
  const data = Buffer.alloc(valueOffsets[texts.length]!);
  for (const [n, text] of texts.entries()) data.write(text, valueOffsets[n]!);
  return arrow.makeData({
    type: new arrow.Utf8(),
    length: texts.length,
    nullCount: 0,
    valueOffsets,
    data,
  });
}
