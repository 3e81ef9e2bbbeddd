import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import {
  VectorStoreError,
  type VectorIndex,
  type VectorRow,
  type VectorStore,
} from "../src/vector-store.ts";
import { cosine, randomSource, randomVector } from "./fixture.ts";

/**
 * What every `VectorIndex` driver must do; run it in a `describe` of the driver. `most`: rows in
 * the largest test, in two batches.
 */
export function vectorIndexConformance(open: () => Promise<VectorStore>, most = 10_000): void {
  const model = { model: "test/Model:1", dimensions: 32 };
  let store: VectorStore;
  let index: VectorIndex;
  beforeAll(async () => {
    store = await open();
    index = store.vectors(model);
    await index.drop();
  });
  afterAll(async () => {
    await index.drop();
    await store.close();
  });
  let workspace = 2000;
  const random = randomSource(3);
  const row = (
    workspaceId: number,
    vector = randomVector(random, 32),
    documentId = "document",
    version = 1,
  ): VectorRow => ({ id: randomUUID(), workspaceId, documentId, version, vector });
  const ids = async (workspaceId: number, vector: Float32Array, limit = 50) =>
    (await index.search({ workspaceId, vector, limit })).map((hit) => hit.id);

  it("starts empty and healthy; ensure is idempotent", async () => {
    await index.ensure();
    await index.ensure();
    await index.health();
    expect(await ids(1, randomVector(random, 32))).toEqual([]);
    await index.deleteByDocument(1, "none");
    await index.deleteWorkspace(1);
    expect(store.vectors({ ...model })).toBe(index);
  });

  it("returns exact cosines, nearest first, whatever the length of the vectors", async () => {
    const id = workspace++;
    const rows = Array.from({ length: 50 }, (_, n) =>
      row(
        id,
        randomVector(random, 32).map((value) => value * (n + 1)),
      ),
    );
    await index.upsert(rows);
    const query = randomVector(random, 32);
    const expected = rows
      .map((one) => ({ id: one.id, score: cosine(one.vector, query) }))
      .sort((a, b) => b.score - a.score)
      .slice(0, 10);
    const hits = await index.search({ workspaceId: id, vector: query, limit: 10 });
    expect(hits.map((hit) => hit.id)).toEqual(expected.map((hit) => hit.id));
    for (const [n, hit] of hits.entries()) expect(hit.score).toBeCloseTo(expected[n]!.score, 4);
  });

  it("rejects vectors with the wrong length or missing values; a zero vector finds nothing", async () => {
    const id = workspace++;
    await expect(index.upsert([row(id, new Float32Array(31))])).rejects.toThrow(VectorStoreError);
    await expect(
      index.search({ workspaceId: id, vector: new Float32Array(33), limit: 1 }),
    ).rejects.toThrow(VectorStoreError);
    await expect(index.upsert([row(id, new Float32Array(32).fill(NaN))])).rejects.toThrow(
      VectorStoreError,
    );
    await index.upsert([row(id)]);
    expect(await ids(id, new Float32Array(32))).toEqual([]);
  });

  it("keeps workspaces and models apart", async () => {
    const mine = workspace++,
      other = workspace++;
    const vector = randomVector(random, 32);
    const own = row(mine),
      foreign = row(other, vector);
    await index.upsert([own, foreign]);
    expect(await ids(mine, vector)).toEqual([own.id]);
    const second = store.vectors({ model: "test-model-1", dimensions: 32 });
    expect(await second.search({ workspaceId: mine, vector, limit: 5 })).toEqual([]);
    await second.upsert([row(mine, vector)]);
    await second.drop();
    expect(await ids(mine, vector)).toEqual([own.id]);
  });

  it("replaces a row with the same id", async () => {
    const id = workspace++;
    const vector = randomVector(random, 32),
      opposite = vector.map((value) => -value);
    const one = row(id, vector);
    await index.upsert([one]);
    await index.upsert([{ ...one, vector: opposite }]);
    const hits = await index.search({ workspaceId: id, vector: opposite, limit: 5 });
    expect(hits).toHaveLength(1);
    expect(hits[0]!.score).toBeCloseTo(1, 4);
  });

  it("deletes a document, its other versions, or a workspace immediately", async () => {
    const id = workspace++,
      other = workspace++;
    const vector = randomVector(random, 32);
    const name = 'it\'s a "document"; -- %';
    const first = row(id, vector, name, 1),
      second = row(id, vector, name, 2),
      neighbour = row(id, vector, "neighbour"),
      foreign = row(other, vector, name);
    await index.upsert([first, second, neighbour, foreign]);
    await index.deleteByDocument(id, name, { exceptVersion: 2 });
    expect((await ids(id, vector)).sort()).toEqual([second.id, neighbour.id].sort());
    await index.deleteByDocument(id, name);
    expect(await ids(id, vector)).toEqual([neighbour.id]);
    if (index.deleteByDocuments) {
      await index.upsert([row(id, vector, name, 3), row(id, vector, "another")]);
      await index.deleteByDocuments(id, [name, "another", "none"]);
      expect(await ids(id, vector)).toEqual([neighbour.id]);
    }
    await index.deleteWorkspace(id);
    expect(await ids(id, vector)).toEqual([]);
    expect(await ids(other, vector)).toEqual([foreign.id]);
  });

  it("finds only rows of the requested documents", async () => {
    const id = workspace++;
    const vector = randomVector(random, 32);
    const rows = ["a", 'it\'s "b"', "c"].map((name) => row(id, randomVector(random, 32), name));
    await index.upsert(rows);
    const found = await index.search({
      workspaceId: id,
      vector,
      limit: 2,
      documentIds: ["a", 'it\'s "b"'],
    });
    expect(found.map((hit) => hit.id).sort()).toEqual(
      rows
        .slice(0, 2)
        .map((one) => one.id)
        .sort(),
    );
    expect(await index.search({ workspaceId: id, vector, limit: 2, documentIds: [] })).toEqual([]);
  });

  it(`holds ${most} rows in batches of ${most / 2} and finds each before and after optimising`, async () => {
    const id = workspace++;
    const rows = Array.from({ length: most }, (_, n) =>
      row(id, undefined, `document${Math.floor(n / 10)}`),
    );
    for (let start = 0; start < rows.length; start += most / 2)
      await index.upsert(rows.slice(start, start + most / 2));
    for (const n of [0, most / 2 - 1, most - 1])
      expect(await ids(id, rows[n]!.vector, 1)).toEqual([rows[n]!.id]);
    await store.optimize();
    for (const n of [0, most / 2 - 1, most - 1])
      expect(await ids(id, rows[n]!.vector, 1)).toEqual([rows[n]!.id]);
    await Promise.all(
      Array.from({ length: 20 }, (_, n) => index.deleteByDocument(id, `document${n}`)),
    );
    expect(await ids(id, rows[0]!.vector, 1)).not.toEqual([rows[0]!.id]);
    expect(await ids(id, rows[300]!.vector, 1)).toEqual([rows[300]!.id]);
  }, 120_000);

  it("is empty after a drop", async () => {
    const id = workspace++;
    const one = row(id);
    await index.upsert([one]);
    await index.drop();
    expect(await ids(id, one.vector)).toEqual([]);
    await index.upsert([one]);
    expect(await ids(id, one.vector)).toEqual([one.id]);
  });
}
