import { describe, expect, it } from "@jest/globals";
import {
  chosenFolderOf,
  countChosen,
  holds,
  holdsFolder,
  isEmpty,
  isWhole,
  nothing,
  selectionsOf,
  turnException,
  turnFolderException,
  withDocuments,
  withFolder,
  type Chosen,
  type ChosenDocument,
} from "./chosen.ts";

const document = (documentId: string): ChosenDocument => ({
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
    let chosen = withDocuments(nothing, [document("a"), document("b")], true);
    chosen = withFolder(withFolder(chosen, "x/y", true), "x", true);
    expect([...chosen.folders]).toEqual(["x"]);
    expect(holds(chosen, "q", "x/y/z")).toBe(true);
    expect(holds(chosen, "q", "xy")).toBe(false);
    expect(chosenFolderOf(chosen, "x/y")).toBe("x");
    expect(countChosen(chosen, () => 40)).toBe(42);
    expect(selectionsOf(chosen)).toEqual([
      { filter: { folder: "x", deep: true, search: "", kinds: [], tags: [] } },
      { documentIds: ["a", "b"] },
    ]);
    expect(
      isEmpty(withFolder(withDocuments(chosen, [document("a"), document("b")], false), "x", false)),
    ).toBe(true);
  });
  it("selects all of 100,000 documents without listing any", () => {
    const all = { ...nothing, all: { filter: { search: "boiler" }, total: 100_000 } };
    expect(holds(all, "any")).toBe(true);
    expect(countChosen(all, () => 0)).toBe(100_000);
    expect(selectionsOf(all)).toEqual([
      { filter: { search: "boiler", deep: false, kinds: [], tags: [] } },
    ]);
    expect(withDocuments(all, [document("a")], true).all).toBeNull();
  });
  it('excludes documents and folders from "all" and includes them again', () => {
    let all: Chosen = { ...nothing, all: { filter: {}, total: 100_000 } };
    expect(isWhole(all)).toBe(true);
    all = turnException(turnException(turnException(all, "a", "x/y"), "b", "z"), "c", null);
    expect([
      isWhole(all),
      holds(all, "a", "x/y"),
      holds(all, "d", "x/y"),
      countChosen(all, () => 40),
    ]).toEqual([false, false, true, 99_997]);
    // Excluding a folder replaces the exclusions below it, and nothing in it can be included on its
    // own.
    all = turnFolderException(all, "x");
    expect([
      holds(all, "d", "x/y"),
      holds(all, "d", "xy"),
      holdsFolder(all, "x/y"),
      holdsFolder(all, "z"),
      countChosen(all, () => 40),
    ]).toEqual([false, true, false, true, 99_958]);
    expect(turnException(all, "d", "x/y")).toBe(all);
    expect(turnFolderException(all, "x/y")).toBe(all);
    expect(selectionsOf(all)).toEqual([
      {
        filter: { deep: false, search: "", kinds: [], tags: [] },
        except: { documentIds: ["b", "c"], folders: ["x"] },
      },
    ]);
    all = turnException(turnException(turnFolderException(all, "x"), "b", "z"), "c", null);
    expect(isWhole(all)).toBe(true);
    expect(selectionsOf(all)).toEqual([
      { filter: { deep: false, search: "", kinds: [], tags: [] } },
    ]);
  });
  it("splits many IDs into requests the server accepts", () => {
    const many = withDocuments(
      nothing,
      Array.from({ length: 25_000 }, (_, n) => document(String(n))),
      true,
    );
    expect(
      selectionsOf(many).map((each) => ("documentIds" in each ? each.documentIds.length : 0)),
    ).toEqual([5_000, 5_000, 5_000, 5_000, 5_000]);
  });
});
