import { describe, expect, it } from "@jest/globals";
import { arrow } from "./arrow.ts";
import { makeBatch } from "./lance-table.ts";

const { Field, FixedSizeList, Float32, Int32, Schema, tableFromIPC, tableToIPC, Utf8 } = arrow;

const schema = new Schema([
  new Field("id", new Utf8(), false),
  new Field("workspace_id", new Int32(), false),
  new Field("vector", new FixedSizeList(3, new Field("item", new Float32(), true)), false),
]);
const row = (id: string, workspaceId: number, vector: number[]) => ({
  id,
  workspace_id: workspaceId,
  document_id: "d",
  version: 1,
  vector: Float32Array.from(vector),
});

describe("a batch of rows", () => {
  it("holds every value of the schema's columns, in any script", () => {
    const rows = [
      row("plain", 1, [1, 0, 0.5]),
      row("", -2_147_483_648, [0, 0, 0]),
      row("größer 東京 👩‍👩‍👧", 2_147_483_647, [-1, 1e-8, 3]),
    ];
    const table = tableFromIPC(tableToIPC(makeBatch(schema, rows), "file"));
    expect(table.schema.fields.map(String)).toEqual(schema.fields.map(String));
    const read = Array.from({ length: table.numRows }, (_, n) => {
      const { id, workspace_id, vector } = table.get(n)!.toJSON() as Record<string, unknown>;
      return { id, workspace_id, vector: [...(vector as Iterable<number>)] };
    });
    expect(read).toEqual(
      rows.map(({ id, workspace_id, vector }) => ({ id, workspace_id, vector: [...vector] })),
    );
  });

  it("replaces half characters without moving the texts after them", () => {
    const rows = [row("\ud83d", 1, [0, 0, 0]), row("\ude00 after", 2, [0, 0, 0])];
    const ids = makeBatch(schema, rows).getChild("id")!;
    expect([ids.get(0), ids.get(1)]).toEqual(["\ufffd", "\ufffd after"]);
  });

  it("refuses a column type it can't build", () => {
    expect(() => makeBatch(new Schema([new Field("x", new Float32())]), [row("a", 1, [])])).toThrow(
      TypeError,
    );
  });
});
