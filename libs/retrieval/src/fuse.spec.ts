import { describe, expect, it } from "@jest/globals";
import { fuse } from "./fuse.ts";

const random = (seed: number) => () => {
  seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
  return (seed >>> 8) / 16777216;
};

describe("fuse", () => {
  it("passes one half through when the other is missing", () => {
    expect(fuse({ text: [], dense: null })).toEqual({ chunks: [], denseShare: 0 });
    expect(
      fuse({
        text: [
          { id: "a", rank: 4, score: 0.5 },
          { id: "b", rank: 2, score: 0.7 },
        ],
        dense: null,
      }).chunks,
    ).toEqual([
      {
        id: "a",
        score: 0.5,
        textScore: 0.5,
        denseScore: null,
        rank: 1,
        textPlace: 1,
        densePlace: null,
      },
      {
        id: "b",
        score: 0.7,
        textScore: 0.7,
        denseScore: null,
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
      }).chunks.map(({ id, score }) => [id, score]),
    ).toEqual([
      ["a", 0.9],
      ["b", 0.4],
    ]);
  });

  it("returns the larger of cosine and text score, between 0 and 1", () => {
    const [first, second] = fuse({
      text: [{ id: "a", rank: 1, score: 0.3 }],
      dense: [
        { id: "a", score: 1.2 },
        { id: "b", score: -0.5 },
      ],
    }).chunks;
    expect(first).toMatchObject({ id: "a", score: 1, textScore: 0.3, denseScore: 1 });
    expect(second).toMatchObject({ id: "b", score: 0, textScore: null, denseScore: 0 });
  });

  /*
   * Synthetic collections: a document's score is its relevance plus noise, and a weaker half has
   * more noise. Covers vectors of all qualities, and the chats' short lists as well as long ones.
   */
  const made = (noise: number, o: { limit: number; spread?: number; isBlind?: boolean }) => {
    const next = random(11);
    const gaussian = () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
    const totals = { text: 0, dense: 0, hybrid: 0, share: 0 };
    const rounds = 100;
    for (let round = 0; round < rounds; round++) {
      const documents = Array.from({ length: 400 }, (__, n) => ({ id: `d${n}`, relevant: n < 5 }));
      const text = documents
        .map(({ id, relevant }) => ({
          id,
          rank: Math.max(0, 8 * ((relevant ? 1.6 : 0) + 0.55 * gaussian())),
          score: 0.5,
        }))
        .filter(({ rank }) => rank > 0)
        .sort((a, b) => b.rank - a.rank)
        .slice(0, o.limit);
      const dense = documents
        .map(({ id, relevant }) => ({
          id,
          score:
            0.3 + (o.spread ?? 0.15) * ((relevant && !o.isBlind ? 1.6 : 0) + noise * gaussian()),
        }))
        .sort((a, b) => b.score - a.score)
        .slice(0, o.limit);
      const { chunks, denseShare } = fuse({ text, dense });
      totals.text += gain(text.map(({ id }) => id)) / rounds;
      totals.dense += gain(dense.map(({ id }) => id)) / rounds;
      totals.hybrid += gain(chunks.map(({ id }) => id)) / rounds;
      totals.share += denseShare / rounds;
    }
    return totals;
  };

  it.each([
    [60, 1.2],
    [60, 0.85],
    [60, 0.55],
    [60, 0.35],
    [300, 1.2],
    [300, 0.85],
    [300, 0.55],
    [300, 0.35],
  ])("is never worse than its text half (lists of %i, noise %d)", (limit, noise) => {
    const { text, hybrid } = made(noise, { limit });
    expect(hybrid).toBeGreaterThanOrEqual(text);
  });

  it.each([60, 300])(
    "improves the order where good vectors agree with the words (lists of %i)",
    (limit) => {
      const { text, hybrid } = made(0.35, { limit });
      expect(hybrid).toBeGreaterThan(text + 0.03);
    },
  );

  it.each([60, 300])("keeps the text order where vectors say nothing (lists of %i)", (limit) => {
    const chance = made(0.55, { limit, isBlind: true }),
      flat = made(0.55, { limit, spread: 0.0001 });
    expect(chance.hybrid).toBeGreaterThan(chance.text - 0.002);
    expect(flat.hybrid).toBeGreaterThan(flat.text - 0.002);
    expect(flat.share).toBeLessThan(0.01);
  });

  it("compares only as many hits as both halves have, and lets vectors lead where the words found almost nothing", () => {
    const dense = Array.from({ length: 60 }, (_, n) => ({ id: `d${n}`, score: 0.9 - n / 100 }));
    expect(
      fuse({
        text: [
          { id: "d0", rank: 3, score: 0.5 },
          { id: "d1", rank: 2, score: 0.5 },
        ],
        dense,
      }).denseShare,
    ).toBeCloseTo(0.35);
    expect(
      fuse({
        text: [
          { id: "x", rank: 3, score: 0.5 },
          { id: "y", rank: 2, score: 0.5 },
        ],
        dense,
      }).denseShare,
    ).toBe(0);
    const { chunks, denseShare } = fuse({ text: [{ id: "x", rank: 3, score: 0.001 }], dense });
    expect([denseShare, chunks[0]!.id]).toEqual([expect.closeTo(0.6, 1), "d0"]);
  });

  it("keeps the text order for equal ranks, and a single vector hit", () => {
    const text = ["c", "a", "b"].map((id) => ({ id, rank: 1, score: 0.5 }));
    expect(
      fuse({
        text,
        dense: [
          { id: "z", score: 0.4 },
          { id: "y", score: 0.39 },
        ],
      }).chunks.map(({ id }) => id),
    ).toEqual(["c", "a", "b", "z", "y"]);
    expect(fuse({ text: [], dense: [{ id: "z", score: 0.4 }] }).chunks).toMatchObject([
      { id: "z", rank: 1, densePlace: 1 },
    ]);
  });
});

/** nDCG@10 with documents d0 to d4 relevant. */
function gain(ids: string[]): number {
  let sum = 0,
    ideal = 0;
  for (let place = 0; place < 10; place++) {
    if (/^d[0-4]$/.test(ids[place] ?? "")) sum += 1 / Math.log2(place + 2);
    if (place < 5) ideal += 1 / Math.log2(place + 2);
  }
  return sum / ideal;
}
