import {
  FixedSizeList,
  Float32,
  Int32,
  makeData,
  RecordBatch,
  Struct,
  Table,
  Utf8,
  type Data,
  type Field,
  type Schema,
} from "apache-arrow";
import type { LanceRow } from "./lance-row.ts";

/**
 * The rows as one Arrow batch. The library would build it value by value, which for vectors costs
 * more than the write itself.
 */
export function makeBatch(schema: Schema, rows: readonly LanceRow[]): Table {
  const children = schema.fields.map((field) => makeColumn(field, rows));
  const type = new Struct(schema.fields);
  return new Table(
    new RecordBatch(schema, makeData({ type, length: rows.length, nullCount: 0, children })),
  );
}

function makeColumn({ name, type }: Field, rows: readonly LanceRow[]): Data {
  const { length } = rows;
  if (type instanceof Utf8) return makeTexts(rows.map((row) => String(row[name])));
  if (type instanceof Int32)
    return makeData({
      type,
      length,
      nullCount: 0,
      data: Int32Array.from(rows, (row) => Number(row[name])),
    });
  if (type instanceof FixedSizeList) {
    const data = new Float32Array(length * type.listSize);
    for (const [n, row] of rows.entries()) data.set(row[name] as Float32Array, n * type.listSize);
    const child = makeData({ type: new Float32(), length: data.length, nullCount: 0, data });
    return makeData({ type, length, nullCount: 0, child });
  }
  throw new TypeError(`No column of type ${String(type)} is known.`);
}

function makeTexts(texts: string[]): Data<Utf8> {
  const valueOffsets = new Int32Array(texts.length + 1);
  for (const [n, text] of texts.entries())
    valueOffsets[n + 1] = valueOffsets[n]! + Buffer.byteLength(text);
  const data = Buffer.alloc(valueOffsets[texts.length]!);
  for (const [n, text] of texts.entries()) data.write(text, valueOffsets[n]!);
  return makeData({ type: new Utf8(), length: texts.length, nullCount: 0, valueOffsets, data });
}
