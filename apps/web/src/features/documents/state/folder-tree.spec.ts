import { describe, expect, it } from "@jest/globals";
import { buildTree, rowAt, rowOfFolder, rowsOf } from "./folder-tree.ts";

const count = (name: string, documents: number, title: string | null = null) => ({
  name,
  title,
  documents,
  failed: 0,
});
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
  it("shows a workbook's folder under the name of the workbook, numbered if that is taken", () => {
    const { byName, folders } = buildTree([
      count("2026", 0),
      count("2026/tunnel-runs.xlsx-b35fbe3c", 2, "Tunnel runs.xlsx"),
      count("tunnel-runs.xlsx-0123abcd", 1, "Tunnel runs.xlsx"),
      count("tunnel-runs.xlsx-456789ef", 1, "Tunnel runs.xlsx"),
      count("rent.xlsx-00000000", 1, "Rent.xlsx"),
      count("Rent.xlsx", 1),
    ]);
    expect(folders.map((node) => [node.name, node.label])).toEqual([
      ["2026", "2026"],
      ["Rent.xlsx", "Rent.xlsx"],
      ["rent.xlsx-00000000", "Rent.xlsx (2)"],
      ["tunnel-runs.xlsx-0123abcd", "Tunnel runs.xlsx"],
      ["tunnel-runs.xlsx-456789ef", "Tunnel runs.xlsx (2)"],
    ]);
    expect(byName.get("2026/tunnel-runs.xlsx-b35fbe3c")?.path).toBe("2026/Tunnel runs.xlsx");
    expect(byName.get("2026")?.path).toBe("2026");
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
