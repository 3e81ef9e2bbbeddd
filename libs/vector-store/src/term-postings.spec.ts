import { describe, expect, it } from "@jest/globals";
import { randomSource } from "../test/fixture.ts";
import { rescore } from "./bm25.ts";
import { TermPostings } from "./term-postings.ts";

describe("term postings", () => {
  it("rank chunks like scoring all of them, in one workspace and in some documents", async () => {
    const random = randomSource(5);
    const pick = (below: number): number => Math.floor(random() * below);
    const rows = Array.from({ length: 2_500 }, (_, n) => ({
      id: String(n).padStart(4, "0"),
      documentId: `document${n % 9}`,
      terms: Array.from({ length: 20 + pick(60) }, () => `term${Math.floor(pick(30) ** 1.5)}`),
    }));
    rows[17]!.terms = Array.from({ length: 40 }, () => "rare");
    const postings = new TermPostings(1 << 20);
    for (const [n, { documentId, terms }] of rows.entries())
      postings.add(BigInt(n), documentId, terms);
    await postings.build();
    expect(postings.size).toBe(2_500);
    expect(postings.bytes).toBeGreaterThan(2_500 * 20);
    const frequencies = new Map<string, number>();
    for (const { terms } of rows)
      for (const term of new Set(terms)) frequencies.set(term, (frequencies.get(term) ?? 0) + 1);
    const lengths = rows.reduce((sum, { terms }) => sum + terms.length, 0);
    const statistics = {
      documentCount: rows.length,
      frequencies,
      averageLength: lengths / rows.length,
    };
    const found = (terms: string[], documentIds?: string[]): number[] =>
      postings.search(terms, statistics, 30, documentIds).map(({ row }) => row);
    const exact = (terms: string[], documentIds?: string[]): number[] =>
      rescore(
        rows.filter(({ documentId }) => documentIds?.includes(documentId) ?? true),
        terms,
        statistics,
      )
        .slice(0, 30)
        .map(({ id }) => Number(id));
    for (const terms of [["term1", "term5", "term52"], ["term0", "term0", "term11"], ["rare"]]) {
      expect(found(terms)).toEqual(exact(terms));
      expect(found(terms, ["document2", "document8"])).toEqual(
        exact(terms, ["document2", "document8"]),
      );
    }
    expect(found(["rare"])).toEqual([17]);
    expect(found(["unknown"])).toEqual([]);
  });

  it("read chunks by their addresses, each once", async () => {
    const postings = new TermPostings(1 << 20);
    for (const address of [30n, 20n, 10n]) postings.add(address, "document", ["term"]);
    await postings.build();
    const read: bigint[][] = [];
    const idsOf = async (rows: number[]) =>
      (
        await postings.chunksOf(rows, (addresses) => {
          read.push(addresses);
          return Promise.resolve(addresses.map((address) => ({ id: `${address}`, terms: [] })));
        })
      )?.map(({ id }) => id);
    expect(await idsOf([2, 0])).toEqual(["10", "30"]);
    expect(await idsOf([0, 1, 2])).toEqual(["30", "20", "10"]);
    expect(read).toEqual([[10n, 30n], [20n]]);
    expect(await postings.chunksOf([0, 1], () => Promise.resolve(null))).toHaveLength(2);
  });

  it("keep no more found chunks than they count in their size", async () => {
    const terms = Array.from({ length: 100 }, (_, n) => `term${n}`);
    const build = async (maxBytes: number): Promise<TermPostings> => {
      const postings = new TermPostings(maxBytes);
      for (let n = 0; n < 1_000; n++) postings.add(BigInt(n), "document", terms);
      await postings.build();
      return postings;
    };
    const least = (await build(0)).bytes;
    expect((await build(1 << 30)).bytes).toBeGreaterThan(least + 1_000 * 100 * 8);
    const postings = await build(least + 95_000);
    expect(postings.bytes).toBe(least + 95_000);
    let reads = 0;
    const readAll = async (): Promise<void> => {
      for (let row = 0; row < 1_000; row += 10)
        await postings.chunksOf(
          Array.from({ length: 10 }, (_, n) => row + n),
          (addresses) => {
            reads += addresses.length;
            return Promise.resolve(addresses.map((address) => ({ id: `${address}`, terms })));
          },
        );
    };
    await readAll();
    expect(reads).toBe(1_000);
    await readAll();
    // 95,000 bytes are enough for 100 chunks.
    expect(reads).toBeGreaterThanOrEqual(1_900);
  });
});
