import { describe, expect, it } from "@jest/globals";
import { fuse } from "./fuse.ts";

const textHits = (...ids: string[]) =>
  ids.map((id, n) => ({ id, rank: 9 - n, score: 0.5, coverage: 0.4 }));
const vectorHits = (...ids: string[]) => ids.map((id, n) => ({ id, score: 0.9 - n / 100 }));
const order = (...input: Parameters<typeof fuse>) => fuse(...input).map(({ id }) => id);

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
    expect(order({ text: textHits("c", "a", "b"), dense: null })).toEqual(["c", "a", "b"]);
    expect(order({ text: [], dense: vectorHits("a", "b") })).toEqual(["a", "b"]);
  });

  it("returns the larger of cosine and text score, between 0 and 1", () => {
    const [first, second] = fuse({
      text: [{ id: "a", rank: 1, score: 0.3, coverage: 0.2 }],
      dense: [
        { id: "a", score: 1.2 },
        { id: "b", score: -0.5 },
      ],
    });
    expect(first).toMatchObject({
      id: "a",
      score: 1,
      textScore: 0.3,
      denseScore: 1,
      coverage: 0.2,
    });
    expect(second).toMatchObject({ id: "b", score: 0, textScore: null, denseScore: 0 });
  });

  it("adds up the reciprocal ranks of both lists, whatever their scores", () => {
    const ranked = fuse({
      text: textHits("text", "both", "last"),
      dense: vectorHits("dense", "both", "third"),
    });
    expect(ranked.map(({ id }) => id)).toEqual(["both", "text", "dense", "last", "third"]);
    expect(ranked.map(({ rank }) => rank)).toEqual([
      expect.closeTo(21 / 22),
      0.5,
      0.5,
      expect.closeTo(21 / 23 / 2),
      expect.closeTo(21 / 23 / 2),
    ]);
  });

  describe("chunks without vectors", () => {
    const ids = Array.from({ length: 40 }, (_, n) => `c${n}`);
    /** Shuffles and splits, differently for each seed. */
    const draw = (seed: number) => {
      let state = seed;
      const random = (): number => (state = (Math.imul(state, 48_271) >>> 0) % 0x7fffffff);
      const shuffled = (): string[] =>
        ids
          .map((id) => [random(), id] as const)
          .sort(([a], [b]) => a - b)
          .map(([, id]) => id);
      const withoutVectors = new Set(shuffled().slice(0, random() % ids.length));
      return { text: textHits(...shuffled()), vectors: shuffled(), withoutVectors };
    };
    const seeds = Array.from({ length: 50 }, (_, n) => n + 1);

    it("keep the order of the text hits, and the best one stays first", () => {
      for (const seed of seeds) {
        const { text, vectors, withoutVectors } = draw(seed);
        const dense = vectorHits(...vectors.filter((id) => !withoutVectors.has(id)));
        const found = order({ text, dense, withoutVectors });
        const missing = (list: string[]) => list.filter((id) => withoutVectors.has(id));
        expect(missing(found)).toEqual(missing(text.map(({ id }) => id)));
        if (withoutVectors.has(text[0]!.id)) expect(found[0]).toBe(text[0]!.id);
      }
    });

    it("rank as if the vectors had put them at the same place", () => {
      for (const seed of seeds) {
        const { text, vectors, withoutVectors } = draw(seed);
        const found = fuse({ text, dense: vectorHits(...vectors), withoutVectors });
        for (const { id, rank, textPlace, densePlace } of found)
          if (withoutVectors.has(id)) {
            expect(densePlace).toBeNull();
            expect(rank).toBeCloseTo(21 / (20 + textPlace!));
          }
      }
    });

    it("don't change the others' order, and all of them leave the text order", () => {
      for (const seed of seeds) {
        const { text, vectors, withoutVectors } = draw(seed);
        const dense = vectorHits(...vectors);
        const others = { text, dense: dense.filter(({ id }) => !withoutVectors.has(id)) };
        const having = (list: string[]) => list.filter((id) => !withoutVectors.has(id));
        expect(having(order({ text, dense, withoutVectors }))).toEqual(having(order(others)));
        expect(order({ text, dense, withoutVectors: new Set(ids) })).toEqual(
          text.map(({ id }) => id),
        );
      }
    });
  });
});
