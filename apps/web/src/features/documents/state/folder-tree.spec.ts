import { describe, expect, it } from "@jest/globals";
import { buildTree, rowAt, rowOfFolder, rowsOf } from "./folder-tree.ts";

const count = (name: string, documents: number) => ({ name, documents, failed: 0 });
const tree = buildTree([
  count("custom-documents", 3),
  count("b", 2),
  count("a10", 0),
  count("a2", 0),
  count("b/c", 100_000),
  count("x/y/z", 1),
]);

describe("folder tree", () => {
  it("nests by path in natural order, adds missing parents and counts documents below", () => {
    expect(tree.folders.map((node) => [node.label, node.documents, node.deep])).toEqual([
      ["a2", 0, 0],
      ["a10", 0, 0],
      ["b", 2, 100_002],
      ["x", 0, 1],
    ]);
    expect(tree.byName.get("x/y")?.children.map((node) => node.label)).toEqual(["z"]);
    expect(tree.rootDocuments).toBe(3);
  });
  it("computes the rows of 100,000 documents without loading any", () => {
    const rows = rowsOf(tree, new Set(["b", "b/c"]));
    expect(rows.segments).toHaveLength(8);
    expect(rows.total).toBe(4 + 1 + 100_000 + 2 + 3);
    expect(rowAt(rows, 2)).toMatchObject({ kind: "folder", level: 0, node: { name: "b" } });
    expect(rowAt(rows, 4)).toMatchObject({ kind: "document", level: 2, folder: "b/c", offset: 0 });
    expect(rowAt(rows, 100_003)).toMatchObject({ kind: "document", folder: "b/c", offset: 99_999 });
    expect(rowAt(rows, 100_004)).toMatchObject({
      kind: "document",
      level: 1,
      folder: "b",
      offset: 0,
    });
    expect(rowAt(rows, rows.total - 1)).toMatchObject({
      kind: "document",
      level: 0,
      folder: "custom-documents",
      offset: 2,
    });
    expect(rowAt(rows, rows.total)).toBeNull();
    expect(rowOfFolder(rows, "x")).toBe(100_006);
    expect(rowOfFolder(rows, "x/y")).toBe(-1);
  });
});
