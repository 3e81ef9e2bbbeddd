import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import type { TextIndex, TextRow, VectorStore } from "../src/vector-store.ts";
import { randomSource } from "./fixture.ts";

/**
 * What every `TextIndex` driver must do; run it in a `describe` of the driver. `most`: rows in the
 * largest test.
 */
export function textIndexConformance(open: () => Promise<VectorStore>, most = 12_000): void {
  let store: VectorStore;
  let index: TextIndex;
  beforeAll(async () => {
    store = await open();
    index = store.text;
    await index.drop();
  });
  afterAll(async () => {
    await index.drop();
    await store.close();
  });
  let workspace = 1000;
  const row = (
    workspaceId: number,
    terms: string,
    documentId = "document",
    version = 1,
  ): TextRow => ({ id: randomUUID(), workspaceId, documentId, version, terms: terms.split(" ") });
  const ids = async (workspaceId: number, terms: string, limit = 50) =>
    (await index.search({ workspaceId, terms: terms.split(" "), limit })).map((hit) => hit.id);

  it("starts empty and healthy; ensure is idempotent", async () => {
    await index.ensure();
    await index.ensure();
    await index.health();
    expect(await ids(1, "anything")).toEqual([]);
    expect(await index.statistics({ workspaceId: 1, terms: ["anything"] })).toEqual({
      documentCount: 0,
      frequencies: new Map(),
      averageLength: 0,
    });
    await index.deleteByDocument(1, "none");
    await index.deleteWorkspace(1);
  });

  it("finds rows in the next search, best first, with their terms", async () => {
    const id = workspace++;
    const both = row(id, "apple pear plum"),
      one = row(id, "apple fig grape"),
      none = row(id, "stone sand");
    await index.upsert([one, none, both]);
    const hits = await index.search({ workspaceId: id, terms: ["apple", "pear"], limit: 10 });
    expect(hits.map((hit) => hit.id)).toEqual([both.id, one.id]);
    expect(hits[0]!.score).toBeGreaterThan(hits[1]!.score);
    expect(hits[0]!.terms).toEqual(["apple", "pear", "plum"]);
    expect(await ids(id, "apple pear", 1)).toEqual([both.id]);
    expect(await ids(id, "absent")).toEqual([]);
    expect(await index.search({ workspaceId: id, terms: [], limit: 10 })).toEqual([]);
  });

  it("matches terms exactly: every script, case, quotes and symbols", async () => {
    const id = workspace++;
    const terms = [
      "東京",
      "مدرسه",
      "שלום",
      "дом",
      "Apple",
      "o'neil",
      "c++",
      'a"b',
      "100%",
      "x_y",
      "*",
      "+pear",
      "straße",
      "한국",
      "cafe\u0301",
      "\u{20000}",
      "x".repeat(64),
    ];
    const rows = terms.map((term) => row(id, term));
    await index.upsert(rows);
    await store.optimize();
    for (const [position, term] of terms.entries())
      expect([
        term,
        await index
          .search({ workspaceId: id, terms: [term], limit: 10 })
          .then((hits) => hits.map((hit) => hit.id)),
      ]).toEqual([term, [rows[position]!.id]]);
    expect(await ids(id, "apple")).toEqual([]);
  });

  it("weighs rare terms and repetition as BM25 does", async () => {
    const id = workspace++;
    const rare = row(id, "common rare filler"),
      often = row(id, "common common common"),
      plain = row(id, "common filler filler");
    await index.upsert([
      plain,
      often,
      rare,
      ...Array.from({ length: 20 }, () => row(id, "common filler other")),
    ]);
    expect((await ids(id, "common rare"))[0]).toBe(rare.id);
    expect((await ids(id, "common"))[0]).toBe(often.id);
  });

  it("keeps rows and statistics of workspaces apart", async () => {
    const mine = workspace++,
      other = workspace++;
    const own = row(mine, "secret plan"),
      foreign = Array.from({ length: 30 }, () => row(other, "secret secret weapon"));
    await index.upsert([own]);
    const before = await index.search({
      workspaceId: mine,
      terms: ["secret", "weapon"],
      limit: 10,
    });
    await index.upsert(foreign);
    const after = await index.search({ workspaceId: mine, terms: ["secret", "weapon"], limit: 10 });
    expect(after).toEqual(before);
    expect(after.map((hit) => hit.id)).toEqual([own.id]);
    expect(
      await index.statistics({ workspaceId: mine, terms: ["secret", "weapon"] }),
    ).toMatchObject({ documentCount: 1, frequencies: new Map([["secret", 1]]) });
  });

  it("searches several workspaces at once, and no other", async () => {
    const [one, two, other] = [workspace++, workspace++, workspace++];
    const best = row(one, "quince medlar"),
      second = row(two, "quince fig grape olive"),
      foreign = row(other, "quince medlar");
    await index.upsert([second, best, foreign, row(one, "stone")]);
    const across = (workspaceIds: number[], limit = 10): Promise<string[]> =>
      index.searchAcross({ workspaceIds, terms: ["quince", "medlar"], limit });
    expect(await across([one, two])).toEqual([best.id, second.id]);
    expect(await across([one, two], 1)).toEqual([best.id]);
    expect(await across([other])).toEqual([foreign.id]);
    expect(await across([])).toEqual([]);
    expect(await index.searchAcross({ workspaceIds: [one], terms: [], limit: 10 })).toEqual([]);
  });

  it("updates statistics with every write", async () => {
    const id = workspace++;
    const frequency = async (term: string) =>
      (await index.statistics({ workspaceId: id, terms: [term] })).frequencies.get(term) ?? 0;
    const count = async () =>
      (await index.statistics({ workspaceId: id, terms: [] })).documentCount;
    expect(await frequency("alpha")).toBe(0);
    const first = row(id, "alpha alpha beta", "one"),
      second = row(id, "alpha gamma", "two");
    await index.upsert([first]);
    expect([await frequency("alpha"), await count()]).toEqual([1, 1]);
    await index.upsert([second]);
    expect([await frequency("alpha"), await count()]).toEqual([2, 2]);
    await index.upsert([{ ...second, terms: ["delta"] }]);
    expect([await frequency("alpha"), await frequency("delta"), await count()]).toEqual([1, 1, 2]);
    await index.deleteByDocument(id, "one");
    expect([await frequency("alpha"), await frequency("delta"), await count()]).toEqual([0, 1, 1]);
    await index.deleteWorkspace(id);
    expect([await frequency("delta"), await count()]).toEqual([0, 0]);
  });

  it("replaces a row with the same id, also within one batch", async () => {
    const id = workspace++;
    const before = row(id, "old words");
    await index.upsert([before]);
    await index.upsert([
      { ...before, terms: ["middle"] },
      { ...before, terms: ["new"] },
    ]);
    expect(await ids(id, "old middle words")).toEqual([]);
    expect(await ids(id, "new")).toEqual([before.id]);
  });

  it("deletes a document, its other versions, or a workspace immediately", async () => {
    const id = workspace++,
      other = workspace++;
    const name = 'it\'s a "document"; -- %';
    const first = row(id, "word", name, 1),
      second = row(id, "word", name, 2),
      neighbour = row(id, "word", "neighbour", 1),
      foreign = row(other, "word", name, 1);
    await index.upsert([first, second, neighbour, foreign]);
    await index.deleteByDocument(id, name, { exceptVersion: 2 });
    expect((await ids(id, "word")).sort()).toEqual([second.id, neighbour.id].sort());
    await index.deleteByDocument(id, name);
    expect(await ids(id, "word")).toEqual([neighbour.id]);
    if (index.deleteByDocuments) {
      await index.upsert([row(id, "word", name, 3), row(id, "word", "another", 1)]);
      await index.deleteByDocuments(id, [name, "another", "none"]);
      expect(await ids(id, "word")).toEqual([neighbour.id]);
      expect(
        (await index.statistics({ workspaceId: id, terms: ["word"] })).frequencies.get("word"),
      ).toBe(1);
    }
    await index.deleteWorkspace(id);
    expect(await ids(id, "word")).toEqual([]);
    expect(await ids(other, "word")).toEqual([foreign.id]);
  });

  it("supports concurrent writers", async () => {
    const id = workspace++;
    const rows = Array.from({ length: 60 }, (_, n) =>
      row(id, `together single${n}`, `document${n}`),
    );
    await Promise.all(rows.map((one) => index.upsert([one])));
    expect(new Set(await ids(id, "together", 100))).toEqual(new Set(rows.map((one) => one.id)));
    await Promise.all([
      ...rows.slice(0, 30).map((one) => index.deleteByDocument(id, one.documentId)),
      store.optimize(),
      index.upsert([row(id, "together late")]),
    ]);
    expect(await ids(id, "together", 100)).toHaveLength(31);
  });

  it(`holds ${most} rows in batches and finds each before and after optimising`, async () => {
    const id = workspace++;
    const random = randomSource(7);
    const rows = Array.from({ length: most }, (_, n) =>
      row(
        id,
        `unique${n} ${Array.from({ length: 40 }, () => `w${Math.floor(random() ** 3 * 5000)}`).join(" ")}`,
        `document${Math.floor(n / 12)}`,
      ),
    );
    const batch = Math.ceil(most / 2.4);
    for (let start = 0; start < rows.length; start += batch)
      await index.upsert(rows.slice(start, start + batch));
    for (const n of [0, batch - 1, batch, most - 1])
      expect(await ids(id, `unique${n}`)).toEqual([rows[n]!.id]);
    await store.optimize();
    for (const n of [0, batch - 1, batch, most - 1])
      expect(await ids(id, `unique${n}`)).toEqual([rows[n]!.id]);
    expect((await index.statistics({ workspaceId: id, terms: [] })).documentCount).toBe(most);
    await index.deleteByDocument(id, "document0");
    expect(await ids(id, "unique0")).toEqual([]);
    expect(
      await index.statistics({ workspaceId: id, terms: ["unique1", "unique12"] }),
    ).toMatchObject({ documentCount: most - 12, frequencies: new Map([["unique12", 1]]) });
  }, 120_000);

  it("is empty after a drop", async () => {
    const id = workspace++;
    await index.upsert([row(id, "gone")]);
    await index.drop();
    expect(await ids(id, "gone")).toEqual([]);
    const again = row(id, "back");
    await index.upsert([again]);
    expect(await ids(id, "back gone")).toEqual([again.id]);
  });
}
