import { describe, expect, it } from "@jest/globals";
import {
  selectedFolderOf,
  countSelected,
  isSelected,
  isFolderSelected,
  isEmpty,
  isEverything,
  emptySelection,
  toDocumentSelections,
  toggleExclusion,
  toggleFolderExclusion,
  withDocuments,
  withFolder,
  type SelectedDocuments,
  type SelectedDocument,
} from "./selected-documents.ts";

const document = (documentId: string): SelectedDocument => ({
  documentId,
  title: documentId,
  docpath: null,
  tags: [],
  failed: false,
  hasOriginal: true,
  pinned: false,
});

describe("document selection", () => {
  it("selects documents, folders with their subfolders, or everything a filter matches", () => {
    let selected = withDocuments(emptySelection, [document("a"), document("b")], true);
    selected = withFolder(withFolder(selected, "x/y", true), "x", true);
    expect([...selected.folders]).toEqual(["x"]);
    expect(isSelected(selected, "q", "x/y/z")).toBe(true);
    expect(isSelected(selected, "q", "xy")).toBe(false);
    expect(selectedFolderOf(selected, "x/y")).toBe("x");
    expect(countSelected(selected, () => 40)).toBe(42);
    expect(toDocumentSelections(selected)).toEqual([
      { filter: { folder: "x", deep: true, search: "", kinds: [], tags: [] } },
      { documentIds: ["a", "b"] },
    ]);
    expect(
      isEmpty(
        withFolder(withDocuments(selected, [document("a"), document("b")], false), "x", false),
      ),
    ).toBe(true);
  });
  it("selects all of 100,000 documents without listing any", () => {
    const all = { ...emptySelection, all: { filter: { search: "boiler" }, total: 100_000 } };
    expect(isSelected(all, "any")).toBe(true);
    expect(countSelected(all, () => 0)).toBe(100_000);
    expect(toDocumentSelections(all)).toEqual([
      { filter: { search: "boiler", deep: false, kinds: [], tags: [] } },
    ]);
    expect(withDocuments(all, [document("a")], true).all).toBeNull();
  });
  it('excludes documents and folders from "all" and includes them again', () => {
    let all: SelectedDocuments = { ...emptySelection, all: { filter: {}, total: 100_000 } };
    expect(isEverything(all)).toBe(true);
    all = toggleExclusion(toggleExclusion(toggleExclusion(all, "a", "x/y"), "b", "z"), "c", null);
    expect([
      isEverything(all),
      isSelected(all, "a", "x/y"),
      isSelected(all, "d", "x/y"),
      countSelected(all, () => 40),
    ]).toEqual([false, false, true, 99_997]);
    // Excluding a folder replaces the exclusions below it, and nothing in it can be included on its
    // own.
    all = toggleFolderExclusion(all, "x");
    expect([
      isSelected(all, "d", "x/y"),
      isSelected(all, "d", "xy"),
      isFolderSelected(all, "x/y"),
      isFolderSelected(all, "z"),
      countSelected(all, () => 40),
    ]).toEqual([false, true, false, true, 99_958]);
    expect(toggleExclusion(all, "d", "x/y")).toBe(all);
    expect(toggleFolderExclusion(all, "x/y")).toBe(all);
    expect(toDocumentSelections(all)).toEqual([
      {
        filter: { deep: false, search: "", kinds: [], tags: [] },
        except: { documentIds: ["b", "c"], folders: ["x"] },
      },
    ]);
    all = toggleExclusion(toggleExclusion(toggleFolderExclusion(all, "x"), "b", "z"), "c", null);
    expect(isEverything(all)).toBe(true);
    expect(toDocumentSelections(all)).toEqual([
      { filter: { deep: false, search: "", kinds: [], tags: [] } },
    ]);
  });
  it("splits many IDs into requests the server accepts", () => {
    const many = withDocuments(
      emptySelection,
      Array.from({ length: 25_000 }, (_, n) => document(String(n))),
      true,
    );
    expect(
      toDocumentSelections(many).map((each) =>
        "documentIds" in each ? each.documentIds.length : 0,
      ),
    ).toEqual([5_000, 5_000, 5_000, 5_000, 5_000]);
  });
});
