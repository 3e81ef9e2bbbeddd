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
import type { VectorRow } from "./vector-index.ts";
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
const findIn = async (snapshots: VectorSnapshots, table: Table) =>
  snapshots.find(table, 1, await table.version());

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
    expect(await findIn(snapshots, table)).toBeNull();
    await poll(() => findIn(snapshots, table)).not.toBeNull();
    const matrix = (await findIn(snapshots, table))!;
    expect(matrix.size).toBe(150);
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

  it("are used only as long as the table doesn't change", async () => {
    const index = await open();
    await index.upsert([row(), row()]);
    const table = await index.table.open();
    const snapshots = makeSnapshots({ settleMs: 0, maxBytes });
    const sizes = async (): Promise<number> => {
      await poll(() => findIn(snapshots, table)).not.toBeNull();
      return (await findIn(snapshots, table))!.size;
    };
    expect(await sizes()).toBe(2);
    await index.upsert([row(1, "added")]);
    expect(await findIn(snapshots, table)).toBeNull();
    expect(await sizes()).toBe(3);
    await index.deleteByDocument(1, "added");
    expect(await findIn(snapshots, table)).toBeNull();
    expect(await sizes()).toBe(2);
    // Another process writes.
    const other = await openLanceStore({ folder, optimizeEveryMs: 1e9 });
    await other.vectors({ model: "made-up", dimensions }).upsert([row()]);
    expect(await findIn(snapshots, table)).toBeNull();
    expect(await sizes()).toBe(3);
    await other.close();
  });

  it("aren't loaded while the table is being written or if they would take too much", async () => {
    const index = await open();
    await index.upsert([row(), row()]);
    const table = await index.table.open();
    const busy = makeSnapshots({ settleMs: 60_000, maxBytes });
    const small = makeSnapshots({
      settleMs: 0,
      maxBytes: { workspace: 100, all: 100 },
    });
    const usual = makeSnapshots({ settleMs: 0, maxBytes });
    let counts = 0;
    const counted = Object.create(table, {
      countRows: {
        value: (filter: string) => {
          counts++;
          return table.countRows(filter);
        },
      },
    }) as typeof table;
    await poll(async () => {
      expect(await findIn(small, counted)).toBeNull();
      return counts;
    }).toBe(1);
    for (let n = 0; n < 5; n++) expect(await findIn(small, counted)).toBeNull();
    await small.close();
    expect(counts).toBe(1);
    await poll(async () => {
      expect(await findIn(busy, table)).toBeNull();
      return findIn(usual, table);
    }).not.toBeNull();
  });

  it("serve searches of the index once it has settled", async () => {
    const index = await open();
    const rows = Array.from({ length: 40 }, () => row());
    await index.upsert(rows);
    const search = () => index.search({ workspaceId: 1, vector: asked, limit: 40 });
    const fromTable = await search();
    // Scores in memory are rounded differently.
    await poll(async () =>
      (await search()).some(({ score }, n) => score !== fromTable[n]!.score),
    ).toBe(true);
    expect((await search()).map(({ id }) => id)).toEqual(fromTable.map(({ id }) => id));
    await index.upsert([{ ...row(), id: rows[0]!.id, vector: asked }]);
    expect((await search())[0]).toMatchObject({ id: rows[0]!.id });
    expect(await search()).toHaveLength(40);
  });
});
