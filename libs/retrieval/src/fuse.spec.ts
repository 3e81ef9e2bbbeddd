import { describe, expect, it } from "@jest/globals";
import { fuse } from "./fuse.ts";

describe("fuse", () => {
  it("passes one half through when the other is missing", () => {
    expect(fuse({ text: [], dense: null })).toEqual([]);
    expect(
      fuse({
        text: [
          { id: "a", rank: 4, score: 0.5, coverage: 0.5 },
          { id: "b", rank: 2, score: 0.7, coverage: 0.7 },
        ],
        dense: null,
      }),
    ).toEqual([
      {
        id: "a",
        score: 0.5,
        textScore: 0.5,
        denseScore: null,
        coverage: 0.5,
        rank: 1,
        textPlace: 1,
        densePlace: null,
      },
      {
        id: "b",
        score: 0.7,
        textScore: 0.7,
        denseScore: null,
        coverage: 0.7,
        rank: 0.5,
        textPlace: 2,
        densePlace: null,
      },
    ]);
    expect(
      fuse({
        text: [],
        dense: [
          { id: "a", score: 0.9 },
          { id: "b", score: 0.4 },
        ],
      }).map(({ id, score }) => [id, score]),
    ).toEqual([
      ["a", 0.9],
      ["b", 0.4],
    ]);
  });

  it("returns the larger of cosine and text score, between 0 and 1", () => {
    const [first, second] = fuse({
      text: [{ id: "a", rank: 1, score: 0.3, coverage: 0.2 }],
      dense: [
        { id: "a", score: 1.2 },
        { id: "b", score: -0.5 },
      ],
    });
    expect(first).toMatchObject({ id: "a", score: 1, textScore: 0.3, denseScore: 1, coverage: 1 });
    expect(second).toMatchObject({ id: "b", score: 0, textScore: null, denseScore: 0 });
  });

  it("adds up the reciprocal ranks of both lists, whatever their scores", () => {
    const ranked = fuse({
      text: [
        { id: "text", rank: 90, score: 0.9, coverage: 0.9 },
        { id: "both", rank: 2, score: 0.2, coverage: 0.2 },
        { id: "last", rank: 1, score: 0.1, coverage: 0.1 },
      ],
      dense: [
        { id: "dense", score: 0.95 },
        { id: "both", score: 0.31 },
        { id: "third", score: 0.3 },
      ],
    });
    expect(ranked.map(({ id }) => id)).toEqual(["both", "text", "dense", "last", "third"]);
    expect(ranked.map(({ rank }) => rank)).toEqual([
      expect.closeTo(61 / 62),
      0.5,
      0.5,
      expect.closeTo(61 / 63 / 2),
      expect.closeTo(61 / 63 / 2),
    ]);
  });

  it("keeps the text order for equal ranks, and a single vector hit", () => {
    const text = ["c", "a", "b"].map((id) => ({ id, rank: 1, score: 0.5, coverage: 0.4 }));
    expect(fuse({ text, dense: null }).map(({ id }) => id)).toEqual(["c", "a", "b"]);
    expect(fuse({ text: [], dense: [{ id: "z", score: 0.4 }] })).toMatchObject([
      { id: "z", densePlace: 1 },
    ]);
  });
});
