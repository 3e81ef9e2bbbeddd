import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import type { Table } from "@lancedb/lancedb";
import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { poll } from "@carrel/testing";
import { randomSource } from "../test/fixture.ts";
import { openLanceStore, type LanceStore } from "./lance-store.ts";
import type { LanceTextIndex } from "./lance-text-index.ts";
import { TermSnapshots } from "./term-snapshots.ts";
import type { TextRow } from "./text-index.ts";

const maxBytes = { workspace: 1 << 20, all: 1 << 20 };
const row = (n: number, terms: string): TextRow => ({
  id: randomUUID(),
  workspaceId: 1 + (n % 2),
  documentId: `document${n % 10}`,
  version: 1,
  terms: terms.split(" "),
});
let folder: string;
let store: LanceStore;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "carrel-terms-"));
  store = await openLanceStore({ folder, optimizeEveryMs: 1e9 });
});
afterEach(async () => {
  await store.close();
  await rm(folder, { recursive: true, force: true });
});

describe("terms in memory", () => {
  it("find what the table finds", async () => {
    const index = store.text as LanceTextIndex;
    const rows = Array.from({ length: 200 }, (_, n) =>
      row(n, `crane ${n % 3 ? "harbour" : "ferry ferry"} number${n}`),
    );
    await index.upsert(rows);
    const search = (terms: string[], documentIds?: string[]) =>
      index.search({ workspaceId: 1, terms, limit: 200, ...(documentIds && { documentIds }) });
    const ask = () =>
      Promise.all([
        search(["ferry", "crane"]),
        search(["ferry"], ["document0", "document3"]),
        search(["number42", "number43"]),
      ]);
    const fromTable = await ask();
    expect(fromTable[2].map(({ id }) => id)).toEqual([rows[42]!.id]);

    const table = await index.table.open();
    const snapshots = new TermSnapshots({ settleMs: 0, maxBytes });
    await poll(() => snapshots.find(table, 1)).not.toBeNull();
    expect(snapshots.find(table, 1)!.register.count).toBe(100);
    await snapshots.close();
    const small = new TermSnapshots({ settleMs: 0, maxBytes: { workspace: 100, all: 100 } });
    expect(small.find(table, 1)).toBeNull();
    await small.close();
    expect(small.find(table, 1)).toBeNull();

    const queries = countQueries(table);
    await poll(async () => {
      const before = queries();
      await search(["crane"]);
      return queries() - before;
    }).toBe(0);
    const fromMemory = await ask();
    for (const [n, hits] of fromMemory.entries()) {
      const byId = new Map(fromTable[n]!.map((hit) => [hit.id, hit]));
      expect(hits).toHaveLength(byId.size);
      for (const { id, terms, score } of hits) {
        expect(terms).toEqual(byId.get(id)!.terms);
        expect(score).toBeCloseTo(byId.get(id)!.score, 5);
      }
      expect(hits.map(({ score }) => score)).toEqual(
        hits.map(({ score }) => score).sort((a, b) => b - a),
      );
    }
  });

  it("follow the writes of this process, and are read again after another's", async () => {
    const index = store.text as LanceTextIndex;
    const random = randomSource(11);
    const pick = (below: number): number => Math.floor(random() * below);
    const words = ["crane", "ferry", "harbour", "quay", "buoy"];
    const make = (n: number): TextRow =>
      row(n, Array.from({ length: 3 + pick(9) }, () => words[pick(words.length)]).join(" "));
    const known = Array.from({ length: 400 }, (_, n) => make(n));
    await index.upsert(known);
    const table = await index.table.open();
    const queries = countQueries(table);
    const search = (terms: string[], from: Pick<LanceTextIndex, "search"> = index) =>
      from.search({ workspaceId: 1, terms, limit: 500 });
    const isInMemory = async (): Promise<boolean> => {
      const before = queries();
      await search(["crane"]);
      return queries() === before;
    };
    const other = await openLanceStore({ folder, optimizeEveryMs: 1e9 });
    await poll(isInMemory).toBe(true);
    for (let round = 0; round < 12; round++) {
      const kind = round % 6;
      if (kind < 2) {
        const added = Array.from({ length: 1 + pick(20) }, (_, n) => make(n));
        known.push(...added);
        await index.upsert(added, { first: true });
      } else if (kind === 2) {
        const replaced = Array.from({ length: 5 }, () => ({
          ...make(0),
          id: known[pick(known.length)]!.id,
        }));
        await index.upsert(replaced);
      } else if (kind === 3) {
        const before = (await search(words)).length;
        await index.deleteByDocuments(1, [`document${2 * pick(5)}`]);
        expect((await search(words)).length).toBeLessThan(before);
      } else await store.optimize();
      // The counts are read from the table after some of these writes.
      await search(["crane"]);
      expect(await isInMemory()).toBe(true);
      // Our writes are another process's to this one, so it reads the table.
      for (const terms of [["crane"], ["ferry", "buoy"], ["quay", "quay", "harbour"]]) {
        const [own, expected] = [await search(terms), await search(terms, other.text)];
        const byId = new Map(expected.map((hit) => [hit.id, hit]));
        expect(own).toHaveLength(byId.size);
        for (const { id, terms: found, score } of own) {
          expect(found).toEqual(byId.get(id)?.terms);
          expect(score).toBeCloseTo(byId.get(id)!.score, 4);
        }
      }
    }
    const added = row(0, "lighthouse");
    await other.text.upsert([added]);
    await other.close();
    await poll(async () => (await search(["lighthouse"])).map(({ id }) => id)).toEqual([added.id]);
    await poll(isInMemory).toBe(true);
    expect((await search(["lighthouse"])).map(({ id }) => id)).toEqual([added.id]);
    await index.deleteWorkspace(1);
    expect(await search(["lighthouse"])).toEqual([]);
  });

  it("have what was written while they were read", async () => {
    const index = store.text as LanceTextIndex;
    const rows = Array.from({ length: 400 }, (_, n) => row(0, `crane number${n}`));
    await index.upsert(rows);
    const table = await index.table.open();
    const snapshots = new TermSnapshots({ settleMs: 0, maxBytes });
    const stored = (one: TextRow, terms: string) => ({
      id: one.id,
      workspace_id: 1,
      document_id: one.documentId,
      version: 1,
      terms,
    });
    expect(snapshots.find(table, 1)).toBeNull();
    // The first of these is read, too; the others are written after it.
    snapshots.added([stored(rows[0]!, "crane number0")], false);
    snapshots.added([stored(rows[1]!, "ferry")], true);
    const gone = row(0, "ferry");
    snapshots.added([stored(gone, "ferry")], false);
    snapshots.removed(1, (id) => id === gone.id || id === rows[2]!.id);
    snapshots.added([{ ...stored(gone, "ferry"), workspace_id: 2 }], false);
    await poll(() => snapshots.find(table, 1)).not.toBeNull();
    const postings = snapshots.find(table, 1)!;
    expect(postings.register.count).toBe(399);
    const statistics = { documentCount: 399, frequencies: new Map(), averageLength: 2 };
    const found = (term: string) => postings.search([term], statistics, 500).map(({ id }) => id);
    expect(found("ferry")).toEqual([rows[1]!.id]);
    expect(found("number0")).toEqual([rows[0]!.id]);
    expect(found("number2")).toEqual([]);
    expect(found("crane")).toHaveLength(398);
    // Most rows gone: worth reading the others again.
    const kept = new Set(rows.slice(0, 100).map(({ id }) => id));
    snapshots.removed(1, (id) => !kept.has(id));
    expect(snapshots.find(table, 1)).toBeNull();
    await snapshots.close();
  });
});

function countQueries(table: Table): () => number {
  let queries = 0;
  const query = table.query.bind(table);
  table.query = () => {
    queries++;
    return query();
  };
  return () => queries;
}
