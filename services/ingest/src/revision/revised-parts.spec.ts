import { expect, it } from "@jest/globals";
import { matchParts } from "./revised-parts.ts";

const part = (docpath: string) => ({ id: docpath, docpath });
const revision = (docpath: string) => part(`${docpath}#r`);
const match = (revisions: string[], targets: string[]) => {
  const { replaced, added, gone } = matchParts(revisions.map(revision), targets.map(part));
  return {
    replaced: Object.fromEntries(
      replaced.map(({ revision, target }) => [target.docpath, revision.docpath.slice(0, -2)]),
    ),
    added: added.map(({ docpath }) => docpath.slice(0, -2)),
    gone: gone.map(({ docpath }) => docpath),
  };
};

it("replaces parts by their paths, or by their names if they moved", () => {
  expect(match(["b/x", "a/y", "b/z"], ["a/x", "a/y", "b/old"])).toEqual({
    replaced: { "a/x": "b/x", "a/y": "a/y" },
    added: ["b/z"],
    gone: ["b/old"],
  });
  // The one that is left over.
  expect(match(["a/x", "b/x"], ["a/x", "c/x"])).toEqual({
    replaced: { "a/x": "a/x", "c/x": "b/x" },
    added: [],
    gone: [],
  });
});

it("always keeps the first document", () => {
  expect(match(["new"], ["old"])).toEqual({ replaced: { old: "new" }, added: [], gone: [] });
  expect(match(["b", "c"], ["a", "b"])).toEqual({
    replaced: { a: "c", b: "b" },
    added: [],
    gone: [],
  });
  expect(match(["b"], ["a", "b"])).toEqual({ replaced: { a: "b" }, added: [], gone: ["b"] });
});
