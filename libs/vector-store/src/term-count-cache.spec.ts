import { describe, expect, it } from "@jest/globals";
import { TermCounts } from "./term-count-cache.ts";

describe("TermCounts", () => {
  it("counts the chunks that contain a term, as chunks are added and removed", () => {
    const counts = new TermCounts();
    counts.add(["a", "b", "a"]);
    counts.add(["a"]);
    expect(counts.statistics(["a", "b", "c"])).toEqual({
      documentCount: 2,
      averageLength: 2,
      frequencies: new Map([
        ["a", 2],
        ["b", 1],
      ]),
    });
    counts.add(["a", "b", "a"], -1);
    expect(counts.statistics(["a", "b", "c"])).toEqual({
      documentCount: 1,
      averageLength: 1,
      frequencies: new Map([["a", 1]]),
    });
    counts.add(["a"], -1);
    expect(counts.statistics(["a"])).toEqual({
      documentCount: 0,
      averageLength: 0,
      frequencies: new Map(),
    });
  });

  it("scales a sample up to all chunks, including later ones", () => {
    const counts = new TermCounts();
    counts.sample(["a", "b"]);
    counts.sample(["a"]);
    counts.chunks = 1_000;
    expect(counts.statistics(["a", "b", "c"])).toEqual({
      documentCount: 1_000,
      averageLength: 1.5,
      frequencies: new Map([
        ["a", 1_000],
        ["b", 500],
      ]),
      isSample: true,
    });
    counts.add(["c"]);
    expect(counts.statistics(["c"])).toMatchObject({
      documentCount: 1_001,
      frequencies: new Map([["c", 334]]),
      isSample: true,
    });
  });
});
