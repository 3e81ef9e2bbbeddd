import { afterEach, describe, expect, it } from "@jest/globals";
import type { Table } from "@lancedb/lancedb";
import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { poll } from "@carrel/testing";
import { openLanceStore, type LanceStore } from "./lance-store.ts";
import type { LanceTextIndex } from "./lance-text-index.ts";
import { TermSnapshots } from "./term-snapshots.ts";
import type { TextRow } from "./text-index.ts";

const maxBytes = { workspace: 1 << 20, all: 1 << 20 };
const row = (n: number, terms: string): TextRow => ({
  id: randomUUID(),
  workspaceId: 1 + (n % 2),
  documentId: `document${n % 5}`,
  version: 1,
  terms: terms.split(" "),
});
const findIn = async (snapshots: TermSnapshots, table: Table) =>
  snapshots.find(table, 1, await table.version());

let folder: string;
let store: LanceStore;
afterEach(async () => {
  await store.close();
  await rm(folder, { recursive: true, force: true });
});

describe("terms in memory", () => {
  it("find what the table finds, as long as it doesn't change", async () => {
    folder = await mkdtemp(join(tmpdir(), "carrel-terms-"));
    store = await openLanceStore({ folder, optimizeEveryMs: 1e9 });
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
    await poll(() => findIn(snapshots, table)).not.toBeNull();
    expect((await findIn(snapshots, table))!.size).toBe(100);
    const small = new TermSnapshots({ settleMs: 0, maxBytes: { workspace: 100, all: 100 } });
    expect(await findIn(small, table)).toBeNull();
    await small.close();
    expect(await findIn(small, table)).toBeNull();

    // Once the table has settled, the index answers from memory.
    let queries = 0;
    const query = table.query.bind(table);
    table.query = () => {
      queries++;
      return query();
    };
    await poll(async () => {
      const before = queries;
      await search(["crane"]);
      return queries - before;
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

    const added = row(0, "ferry ferry ferry number42");
    await index.upsert([added]);
    expect(await findIn(snapshots, table)).toBeNull();
    expect((await search(["ferry"]))[0]!.id).toBe(added.id);
    await snapshots.close();
    await index.deleteByDocument(1, "document0");
    expect((await search(["ferry"])).map(({ id }) => id)).not.toContain(added.id);
  });
});
