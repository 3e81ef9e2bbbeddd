import type { TermStatistics } from "@carrel/vector-store";
import { describe, expect, it } from "@jest/globals";
import { contextEnd } from "./chunk-terms.ts";
import type { WeighedWord } from "./question.ts";
import { rankText } from "./text-rank.ts";

const word = (form: string, count = 1): WeighedWord => ({
  forms: new Map([[form, 2]]),
  asked: [form],
  variants: [],
  idf: 2,
  count,
  start: 0,
  end: form.length,
});
const hit = (id: string, text: string) => ({
  id,
  score: 1,
  terms: [contextEnd, ...text.split(" ")],
});
const statistics: TermStatistics = {
  documentCount: 100,
  frequencies: new Map(),
  averageLength: 12,
};

describe("rankText", () => {
  it("ranks a chunk with the words close together above one with them far apart", () => {
    const apart = "boundary one two three four five six seven eight nine ten layer";
    const together = "one two three four five boundary layer six seven eight nine ten";
    const { hits } = rankText(
      [hit("apart", apart), hit("together", together)],
      [word("boundary"), word("layer")],
      statistics,
    );
    expect(hits.map(({ id }) => id)).toEqual(["together", "apart"]);
  });

  it("counts a word that the question repeats more, but less each time", () => {
    const chunks = [hit("once", "turbine rotor blade"), hit("often", "compressor rotor stage")];
    const ranks = (count: number) =>
      new Map(
        rankText(chunks, [word("turbine"), word("compressor", count)], statistics, {
          expansion: false,
        }).hits.map(({ id, rank }) => [id, rank]),
      );
    const ratio = (count: number): number => ranks(count).get("often")! / ranks(count).get("once")!;
    expect(ratio(1)).toBeCloseTo(1);
    // Okapi's k3 of 8.
    expect(ratio(2)).toBeCloseTo(1.8);
    expect(ratio(100)).toBeLessThan(9);
  });

  it("adds only neighbours in the question for being close together", () => {
    const asked = ["boundary", "layer", "wing"].map((form) => word(form));
    const { hits } = rankText(
      [
        hit("distant", "boundary wing one two three four five six"),
        hit("neighbours", "layer wing one two three four five six"),
      ],
      asked,
      statistics,
      { expansion: false },
    );
    expect(hits.map(({ id }) => id)).toEqual(["neighbours", "distant"]);
  });

  it("expands less where even the best hit holds little of the question", () => {
    const chunks = [
      "panel vibration tunnel",
      "panel vibration",
      "panel vibration mode",
      "panel",
    ].map((text, n) => hit(`${n}`, `flutter ${text}`));
    const rankOf = (words: WeighedWord[]) => {
      const [own, expanded] = [false, true].map(
        (expansion) =>
          rankText(chunks, words, statistics, { expansion }).hits.find(({ id }) => id === "3")!
            .rank,
      );
      return expanded! / own!;
    };
    const missing = Array.from({ length: 11 }, (_, n) => word(`absent${n}`));
    expect(rankOf([word("flutter")])).toBeLessThan(0.75);
    expect(rankOf([word("flutter"), ...missing])).toBeGreaterThan(0.85);
  });

  it("expands the question with terms several top hits share, and only on request", () => {
    const chunks = [
      hit("a", "flutter wing panel vibration tunnel"),
      hit("b", "flutter wing aircraft vibration speed"),
      hit("c", "flutter of a bird"),
      hit("d", "flutter panel vibration mode"),
      hit("e", "flutter in the market of stocks"),
      hit("f", "flutter vibration panel wing"),
    ];
    const { hits, expansion } = rankText(chunks, [word("flutter")], statistics);
    expect(expansion.map(({ term }) => term)).toEqual(
      expect.arrayContaining(["panel", "vibration", "wing"]),
    );
    expect(expansion.map(({ term }) => term)).not.toContain("tunnel");
    expect(expansion.reduce((sum, { weight }) => sum + weight, 0)).toBeCloseTo(1);
    expect(
      hits
        .slice(-2)
        .map(({ id }) => id)
        .toSorted(),
    ).toEqual(["c", "e"]);
    expect(rankText(chunks, [word("flutter")], statistics, { expansion: false }).expansion).toEqual(
      [],
    );
  });
});
