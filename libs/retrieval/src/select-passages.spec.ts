import { describe, expect, it } from "@jest/globals";
import { selectPassages } from "./select-passages.ts";

const chunk = (id: string, score: number, denseScore: number | null = null) => ({
  id,
  score,
  denseScore,
  textScore: score,
  coverage: score,
  rank: score,
  textPlace: 1,
  densePlace: null,
});
const places = new Map([
  ["a", { documentId: "one", start: 0, end: 100 }],
  ["b", { documentId: "one", start: 90, end: 200 }],
  ["c", { documentId: "one", start: 202, end: 300 }],
  ["d", { documentId: "one", start: 400, end: 500 }],
  ["e", { documentId: "two", start: 100, end: 200 }],
]);
const four = { threshold: 0.25, topN: 4 };

describe("selectPassages", () => {
  it("joins adjacent chunks of one document and keeps the order of the best", () => {
    const { passages, fates } = selectPassages(
      [chunk("c", 0.9), chunk("e", 0.8), chunk("b", 0.7, 0.6), chunk("d", 0.5)],
      places,
      four,
    );
    expect(
      passages.map(({ chunkId, chunkIds, start, end, score }) => [
        chunkId,
        chunkIds,
        start,
        end,
        score,
      ]),
    ).toEqual([
      ["c", ["b", "c"], 90, 300, 0.9],
      ["e", ["e"], 100, 200, 0.8],
      ["d", ["d"], 400, 500, 0.5],
    ]);
    expect(passages[0]!.denseScore).toBe(0.6);
    expect([...fates].map(([id, { fate, better }]) => [id, fate, better])).toEqual([
      ["c", "kept", null],
      ["e", "kept", null],
      ["b", "joined", "c"],
      ["d", "kept", null],
    ]);
  });

  it("counts a joined passage once, so that others move up", () => {
    const { passages, fates } = selectPassages(
      [chunk("a", 0.9), chunk("b", 0.8), chunk("e", 0.7), chunk("d", 0.6)],
      places,
      { threshold: 0, topN: 2 },
    );
    expect(passages.map(({ chunkIds }) => chunkIds)).toEqual([["a", "b"], ["e"]]);
    expect(fates.get("d")).toEqual({ fate: "over-top-n", better: null });
  });

  it("merges two passages when the chunk between them is added", () => {
    const { passages, fates } = selectPassages(
      [chunk("a", 0.9), chunk("c", 0.8), chunk("b", 0.7)],
      places,
      four,
    );
    expect(
      passages.map(({ chunkId, chunkIds, start, end }) => [chunkId, chunkIds, start, end]),
    ).toEqual([["a", ["a", "b", "c"], 0, 300]]);
    expect(fates.get("c")).toEqual({ fate: "joined", better: "a" });
  });

  it("applies minimum score and top N, and leaves out chunks without a position", () => {
    const { passages, fates } = selectPassages(
      [chunk("a", 0.24), chunk("b", 0.25), chunk("gone", 1)],
      places,
      four,
    );
    expect(passages.map(({ chunkId }) => chunkId)).toEqual(["b"]);
    expect([fates.get("a")?.fate, fates.has("gone")]).toEqual(["below-threshold", false]);
    expect(
      selectPassages([chunk("d", 0.9), chunk("e", 0.8)], places, { threshold: 0, topN: 1 })
        .passages,
    ).toHaveLength(1);
    expect(selectPassages([], places, { threshold: 0, topN: 1 }).passages).toEqual([]);
  });

  it("replaces a duplicate of a better chunk with the next best", () => {
    const hashes: Record<string, string> = { a: "1", e: "1", d: "2" };
    const { passages, fates } = selectPassages(
      [chunk("a", 0.9), chunk("e", 0.8), chunk("d", 0.7)],
      places,
      { threshold: 0, topN: 2, contentOf: (id) => ({ hash: hashes[id]!, terms: null }) },
    );
    expect(passages.map(({ chunkId }) => chunkId)).toEqual(["a", "d"]);
    expect(fates.get("e")).toEqual({ fate: "duplicate", better: "a" });
  });
});
