import { afterEach, describe, expect, it } from "@jest/globals";
import type { Table } from "@lancedb/lancedb";
import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { poll } from "@carrel/testing";
import { randomSource, randomVector } from "../test/fixture.ts";
import { openLanceStore, type LanceStore } from "./lance-store.ts";
import { LanceVectorIndex } from "./lance-vector-index.ts";
import { normalised } from "./normalised.ts";
import type { VectorIndex, VectorRow } from "./vector-index.ts";
import { VectorMatrix } from "./vector-matrix.ts";
import { VectorSnapshots } from "./vector-snapshots.ts";

const dimensions = 24;
const random = randomSource(3);
const row = (workspaceId = 1, documentId = "document"): VectorRow => ({
  id: randomUUID(),
  workspaceId,
  documentId,
  version: 1,
  vector: randomVector(random, dimensions),
});
const asked = normalised(randomVector(random, dimensions));
const maxBytes = { workspace: 1 << 20, all: 1 << 20 };

let folder: string;
let store: LanceStore;
const made: VectorSnapshots[] = [];
const makeSnapshots = (o: ConstructorParameters<typeof VectorSnapshots>[1]): VectorSnapshots => {
  const snapshots = new VectorSnapshots(dimensions, o);
  made.push(snapshots);
  return snapshots;
};
afterEach(async () => {
  for (const snapshots of made.splice(0)) await snapshots.close();
  await store.close();
  await rm(folder, { recursive: true, force: true });
});
const open = async (): Promise<LanceVectorIndex> => {
  folder = await mkdtemp(join(tmpdir(), "carrel-snapshots-"));
  store = await openLanceStore({ folder, optimizeEveryMs: 1e9 });
  return store.vectors({ model: "made-up", dimensions }) as LanceVectorIndex;
};

describe("vectors in memory", () => {
  it("return the same hits as the table, in one workspace and in some documents", async () => {
    const index = await open();
    const rows = Array.from({ length: 300 }, (_, n) => row(1 + (n % 2), `document-${n % 7}`));
    await index.upsert(rows);
    const table = await index.table.open();
    const snapshots = makeSnapshots({ settleMs: 0, maxBytes });
    expect(snapshots.find(table, 1)).toBeNull();
    await poll(() => snapshots.find(table, 1)).not.toBeNull();
    const matrix = snapshots.find(table, 1)!;
    expect(matrix.register.count).toBe(150);
    for (const documentIds of [undefined, ["document-1", "document-4"]]) {
      const exact = await index.search({
        workspaceId: 1,
        vector: asked,
        limit: 20,
        ...(documentIds && { documentIds }),
      });
      const found = matrix.search(asked, 20, documentIds);
      expect(found.map(({ id }) => id)).toEqual(exact.map(({ id }) => id));
      for (const [n, { score }] of found.entries()) expect(score).toBeCloseTo(exact[n]!.score, 3);
    }
  });

  it("follow the writes of this process, and are read again after another's", async () => {
    const index = await open();
    const known = Array.from({ length: 400 }, (_, n) => row(1 + (n % 2), `document-${n % 10}`));
    await index.upsert(known);
    const table = await index.table.open();
    let queries = 0;
    const vectorSearch = table.vectorSearch.bind(table);
    table.vectorSearch = (vector) => {
      queries++;
      return vectorSearch(vector);
    };
    const search = (from: VectorIndex = index) =>
      from.search({ workspaceId: 1, vector: asked, limit: 500 });
    const isInMemory = async (): Promise<boolean> => {
      const before = queries;
      await search();
      return queries === before;
    };
    const model = { model: "made-up", dimensions };
    const other = await openLanceStore({ folder, optimizeEveryMs: 1e9 });
    await poll(isInMemory).toBe(true);
    for (let round = 0; round < 10; round++) {
      const added = Array.from({ length: 9 }, (_, n) => row(1 + (n % 2), `document-${n % 5}`));
      if (round % 5 === 0) await index.upsert(added, { first: true });
      else if (round % 5 === 1)
        await index.upsert(added.map((one, n) => ({ ...one, id: known[n * 4]!.id })));
      else if (round % 5 === 2) await index.deleteByDocuments(1, [`document-${round % 4}`]);
      else await store.optimize();
      expect(await isInMemory()).toBe(true);
      // Our writes are another process's to this one, so it reads the table.
      const expected = new Map((await search(other.vectors(model))).map((hit) => [hit.id, hit]));
      const found = await search();
      expect(found).toHaveLength(expected.size);
      for (const { id, score } of found) expect(score).toBeCloseTo(expected.get(id)!.score, 3);
    }
    const added = { ...row(), vector: asked };
    await other.vectors(model).upsert([added]);
    await other.close();
    await poll(async () => (await search())[0]?.id).toBe(added.id);
    await poll(isInMemory).toBe(true);
    expect((await search())[0]!.id).toBe(added.id);
    await index.deleteByDocument(1, "document", { exceptVersion: 1 });
    expect((await search())[0]!.id).toBe(added.id);
    await index.deleteByDocument(1, "document", { exceptVersion: 2 });
    expect((await search()).map(({ id }) => id)).not.toContain(added.id);
  });

  it("are loaded only after a pause once another process has written", async () => {
    const index = await open();
    await index.upsert([row(), row()]);
    const table = await index.table.open();
    const { counted, counts } = countReads(table);
    const snapshots = makeSnapshots({ settleMs: 300, maxBytes });
    await poll(() => snapshots.find(counted, 1)).not.toBeNull();
    expect(counts()).toBe(1);
    snapshots.clear();
    const cleared = performance.now();
    while (counts() === 1) {
      expect(snapshots.find(counted, 1)).toBeNull();
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(performance.now() - cleared).toBeGreaterThanOrEqual(300);
    await poll(() => snapshots.find(counted, 1)).not.toBeNull();
  });

  it("aren't loaded or kept if they take too much, until rows are deleted", async () => {
    const index = await open();
    await index.upsert(Array.from({ length: 20 }, () => row()));
    const table = await index.table.open();
    const { counted, counts } = countReads(table);
    const limit = VectorMatrix.bytes(30, dimensions);
    const small = makeSnapshots({ settleMs: 0, maxBytes: { workspace: limit, all: limit } });
    await poll(() => small.find(counted, 1)).not.toBeNull();
    const add = (count: number): void => {
      const added = Array.from({ length: count }, () => row());
      small.added(
        added.map(({ id, documentId, vector }) => ({
          id,
          workspace_id: 1,
          document_id: documentId,
          version: 1,
          vector,
        })),
        false,
      );
    };
    add(10);
    expect(small.find(counted, 1)!.register.count).toBe(30);
    add(1);
    for (let n = 0; n < 5; n++) expect(small.find(counted, 1)).toBeNull();
    expect(counts()).toBe(1);
    small.forget(1);
    await poll(() => small.find(counted, 1)).not.toBeNull();
    // With rows that are gone it is dropped, but may be read again at once.
    small.removed(1, (_id, documentId) => documentId === "elsewhere");
    let removed = 0;
    small.removed(1, () => removed++ < 5);
    add(11);
    expect(small.find(counted, 1)).toBeNull();
    await poll(() => small.find(counted, 1)).not.toBeNull();
    // Too large before anything is read.
    small.clear();
    await index.upsert(Array.from({ length: 20 }, () => row()));
    const before = counts();
    await poll(() => {
      expect(small.find(counted, 1)).toBeNull();
      return counts() - before;
    }).toBe(1);
    for (let n = 0; n < 5; n++) expect(small.find(counted, 1)).toBeNull();
    await small.close();
    expect(counts() - before).toBe(1);
  });

  it("are dropped when a commit is too large to be followed", async () => {
    const index = await open();
    await index.upsert([row(), row()]);
    const table = await index.table.open();
    const { counted, counts } = countReads(table);
    const snapshots = makeSnapshots({ settleMs: 0, maxBytes });
    await poll(() => snapshots.find(counted, 1)).not.toBeNull();
    const many = Array.from({ length: 1_001 }, () => row());
    await index.upsert(many);
    const stored = many.map(({ id }) => ({ id, workspace_id: 1, document_id: "d", version: 1 }));
    snapshots.added(stored, false);
    expect(snapshots.find(counted, 1)).toBeNull();
    await poll(() => snapshots.find(counted, 1)?.register.count).toBe(1_003);
    expect(counts()).toBe(2);
    // Nor is the write hurt by what can't be kept of it.
    snapshots.added(stored.slice(0, 1), true);
    expect(snapshots.find(counted, 1)).toBeNull();
    await poll(() => snapshots.find(counted, 1)?.register.count).toBe(1_003);
  });
});

function countReads(table: Table): { counted: Table; counts: () => number } {
  let counts = 0;
  const counted = Object.create(table, {
    countRows: {
      value: (filter: string) => {
        counts++;
        return table.countRows(filter);
      },
    },
  }) as Table;
  return { counted, counts: () => counts };
}
