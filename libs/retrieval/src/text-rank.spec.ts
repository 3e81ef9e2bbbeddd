import { describe, expect, it } from "@jest/globals";
import type { TermStatistics } from "@carrel/vector-store";
import { contextEnd } from "./chunk-terms.ts";
import type { WeighedWord } from "./question.ts";
import { rankText } from "./text-rank.ts";

const word = (form: string): WeighedWord => ({
  forms: new Map([[form, 2]]),
  asked: [form],
  idf: 2,
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
