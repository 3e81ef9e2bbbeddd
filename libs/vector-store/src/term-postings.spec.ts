import { describe, expect, it } from "@jest/globals";
import { randomSource } from "../test/fixture.ts";
import { rescore } from "./bm25.ts";
import { TermPostings } from "./term-postings.ts";
import type { TextHit } from "./vector-store.ts";

const add = (postings: TermPostings, id: string, documentId: string, terms: string[]): void =>
  postings.add(id, documentId, 1, Buffer.from(terms.join(" ")));

describe("term postings", () => {
  it.each([
    ["built", 2_500],
    ["built and added later", 2_400],
    ["built, added later and built again meanwhile", 1_000],
    ["never built", 0],
  ])("rank chunks like scoring all of them, %s", async (_case, built) => {
    const random = randomSource(5);
    const pick = (below: number): number => Math.floor(random() * below);
    const rows = Array.from({ length: 2_500 }, (_, n) => ({
      id: String(n).padStart(4, "0"),
      documentId: `document${n % 9}`,
      terms: Array.from({ length: 20 + pick(60) }, () => `term${Math.floor(pick(30) ** 1.5)}`),
    }));
    rows[17]!.terms = Array.from({ length: 40 }, () => "rare");
    rows[2_450]!.terms = Array.from({ length: 300 }, () => "late");
    const postings = new TermPostings();
    for (const { id, documentId, terms } of rows.slice(0, built))
      add(postings, id, documentId, terms);
    if (built > 0) await postings.build();
    for (const { id, documentId, terms } of rows.slice(built)) add(postings, id, documentId, terms);
    // Replaced by the row of document 9, which is added last.
    rows[30]!.documentId = "document9";
    add(postings, "0030", "document9", rows[30]!.terms);
    for (const row of postings.register.matching({ workspaceId: 1, documentIds: ["document4"] }))
      postings.remove(row);
    expect(postings.register.size).toBe(2_501);
    const left = rows.filter(({ documentId }) => documentId !== "document4");
    expect(postings.register.count).toBe(left.length);
    const frequencies = new Map<string, number>();
    for (const { terms } of left)
      for (const term of new Set(terms)) frequencies.set(term, (frequencies.get(term) ?? 0) + 1);
    const lengths = left.reduce((sum, { terms }) => sum + terms.length, 0);
    const statistics = {
      documentCount: left.length,
      frequencies,
      averageLength: lengths / left.length,
    };
    expect(postings.statistics(["rare", "late", "term0", "term1", "unknown"])).toEqual({
      ...statistics,
      frequencies: new Map(
        ["rare", "late", "term0", "term1"].map((term) => [term, frequencies.get(term)]),
      ),
    });
    const exact = (terms: string[], documentIds?: string[]): TextHit[] =>
      rescore(
        left.filter(({ documentId }) => documentIds?.includes(documentId) ?? true),
        terms,
        statistics,
      );
    const compare = (terms: string[], documentIds?: string[]): void => {
      const expected = exact(terms, documentIds);
      const scores = new Map(expected.map(({ id, score }) => [id, score]));
      const found = postings.search(terms, statistics, 30, documentIds);
      expect(found).toHaveLength(Math.min(30, expected.length));
      for (const [n, { id, score, terms: own }] of found.entries()) {
        expect(own).toEqual(rows[Number(id)]!.terms);
        expect(score).toBe(scores.get(id));
        expect(score).toBeCloseTo(expected[n]!.score, 4);
      }
    };
    for (let round = 0; round < 2; round++) {
      for (const terms of [["term1", "term5", "term52"], ["term0", "term0", "term11"], ["rare"]]) {
        compare(terms);
        compare(terms, ["document2", "document4", "document8", "document9"]);
      }
      expect(postings.search(["rare"], statistics, 5).map(({ id }) => id)).toEqual(["0017"]);
      expect(postings.search(["late"], statistics, 5).map(({ id }) => id)).toEqual(["2450"]);
      expect(postings.search(["unknown"], statistics, 5)).toEqual([]);
      // The second time, once the searches above have started to build.
      await postings.build();
    }
  });

  it("keep no more terms of found chunks than they count in their size", async () => {
    const terms = Array.from({ length: 3_000 }, (_, n) => `term${n}`);
    const postings = new TermPostings();
    for (let n = 0; n < 900; n++) add(postings, `id${n}`, `document${n}`, terms);
    await postings.build();
    // The terms of all chunks would take 21 MB.
    expect(postings.bytes).toBeGreaterThan(16 << 20);
    expect(postings.bytes).toBeLessThan(28 << 20);
    const statistics = postings.statistics(["term5"]);
    const read = (from: number, to: number): string[][] =>
      Array.from(
        { length: to - from },
        (_, n) => postings.search(["term5"], statistics, 1, [`document${from + n}`])[0]!.terms,
      );
    const first = read(0, 50);
    for (const [n, again] of read(0, 50).entries()) expect(again).toBe(first[n]);
    const last = read(50, 900);
    expect(read(850, 900).filter((again, n) => again === last[800 + n])).not.toHaveLength(0);
    expect(read(0, 50).filter((again, n) => again === first[n])).toEqual([]);
  });
});
