import { createDataSource, migrate } from "@carrel/database";
import { testDatabase, type TestDatabase } from "@carrel/testing";
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import type { DataSource } from "typeorm";
import { ingestDatabase } from "../ingest.database.ts";
import { EmbeddingCache, EmbeddingCacheReconciler } from "./embedding-cache.ts";

let database: TestDatabase;
let source: DataSource;
beforeAll(async () => {
  database = await testDatabase();
  await migrate(database.url, ingestDatabase);
  source = await createDataSource(database.url, ingestDatabase, { poolSize: 2 }).initialize();
});
afterAll(async () => {
  await source?.destroy();
  await database?.drop();
});

it("keeps vectors for 60 days after their last use", async () => {
  const cache = new EmbeddingCache(source);
  const hashes = ["unused", "used", "new"].map((text) => Buffer.from(text));
  const keyOf = (hash: Buffer): string => hash.toString("hex");
  await cache.add(
    "model",
    hashes.map((hash, n) => ({ hash, vector: new Float32Array([n, 0.5]) })),
  );
  await source.query(
    "UPDATE ingest.embedding_cache SET used_at = now() - interval '61 days' WHERE content_hash <> $1",
    [hashes[2]],
  );
  const found = await cache.find("model", [hashes[1]!]);
  expect(found).toEqual(new Map([[keyOf(hashes[1]!), new Float32Array([1, 0.5])]]));
  expect(await new EmbeddingCacheReconciler(cache).due()).toEqual([]);
  expect([...(await cache.find("model", hashes)).keys()].sort()).toEqual(
    [hashes[1]!, hashes[2]!].map(keyOf).sort(),
  );
});

it("gives each of several simultaneous lookups the vectors of its own texts and model", async () => {
  const cache = new EmbeddingCache(source);
  const [shared, own] = [Buffer.from("shared"), Buffer.from("own")];
  const vector = (value: number): Float32Array => new Float32Array([value]);
  await cache.add("first", [
    { hash: shared, vector: vector(1) },
    { hash: own, vector: vector(2) },
  ]);
  await cache.add("second", [{ hash: shared, vector: vector(3) }]);
  const found = await Promise.all([
    cache.find("first", [shared]),
    cache.find("second", [shared, own]),
    cache.find("first", [own, shared]),
  ]);
  expect(found.map((vectors) => [...vectors.values()])).toEqual([
    [vector(1)],
    [vector(3)],
    [vector(2), vector(1)],
  ]);
});
