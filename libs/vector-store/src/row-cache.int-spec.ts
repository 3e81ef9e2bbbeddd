import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "@jest/globals";
import { connect } from "@lancedb/lancedb";
import { openLanceStore } from "./lance-store.ts";
import { RowCache } from "./row-cache.ts";

let folder: string;
afterEach(() => rm(folder, { recursive: true, force: true }));

const rows = Array.from({ length: 3_000 }, (_, n) => ({
  id: randomUUID(),
  workspaceId: 1,
  documentId: "d",
  version: 1,
  terms: ["common", `number${n}`],
}));
const vectorOf = (n: number): Float32Array => Float32Array.of(1, n / rows.length, 0.5);

describe("closing an index", () => {
  it("waits for searches and for rows that are being loaded", async () => {
    folder = await mkdtemp(join(tmpdir(), "carrel-row-cache-"));
    const first = await openLanceStore({ folder, optimizeEveryMs: 1e9 });
    await first.text.upsert(rows, { first: true });
    await first.vectors({ model: "m", dimensions: 3 }).upsert(
      rows.map(({ terms: _terms, ...row }, n) => ({ ...row, vector: vectorOf(n) })),
      { first: true },
    );
    await first.close();
    for (let round = 0; round < 4; round++) {
      const store = await openLanceStore({ folder, optimizeEveryMs: 1e9 });
      const vectors = store.vectors({ model: "m", dimensions: 3 });
      const search = () =>
        Promise.all([
          store.text.search({ workspaceId: 1, terms: ["common"], limit: 100 }),
          vectors.search({ workspaceId: 1, vector: vectorOf(7), limit: 100 }),
        ]);
      expect((await search()).map((hits) => hits.length)).toEqual([100, 100]);
      const running = search();
      await store.close();
      expect((await running).map((hits) => hits.length)).toEqual([100, 100]);
    }
  });
});

describe("rows that compaction moved", () => {
  it("are forgotten at their old addresses", async () => {
    folder = await mkdtemp(join(tmpdir(), "carrel-row-cache-"));
    const connection = await connect(folder);
    const table = await connection.createTable("rows", [{ id: "first" }]);
    const cache = new RowCache({
      columns: ["id"],
      read: (column) => ({ id: column("id") }),
      maxSize: 1e6,
      sizeOf: () => 1,
    });
    for (let round = 2; round < 6; round++) {
      await table.add([{ id: `round ${round}` }]);
      await table.optimize();
      const found = await table.query().select(["id"]).withRowId().toArrow();
      expect(await cache.find(table, found)).toHaveLength(round);
      await cache.moved(table);
      expect(cache.size).toBe(round);
    }
    connection.close();
  });
});
