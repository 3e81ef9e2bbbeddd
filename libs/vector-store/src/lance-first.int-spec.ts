import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { connect } from "@lancedb/lancedb";
import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { openLanceStore } from "./lance-store.ts";

describe("rows that were never written before", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "carrel-store-"));
  });
  afterEach(async () => {
    await rm(folder, { recursive: true, force: true });
  });

  it("are checked while nobody else can write, so a superseded run writes no duplicates", async () => {
    let writers = 0;
    const asked: number[] = [];
    const store = await openLanceStore({
      folder,
      writer: async (work) => {
        writers++;
        try {
          await work();
        } finally {
          writers--;
        }
      },
    });
    const rows = [1, 2, 3].map((version) => ({
      id: randomUUID(),
      workspaceId: 1,
      documentId: randomUUID(),
      version,
      terms: ["word"],
    }));
    const vectors = rows.map(({ terms: _terms, ...row }) => ({
      ...row,
      vector: Float32Array.of(1, 0),
    }));
    // What the job's row says: the first run holds it, then the second takes it over.
    let holder = "first";
    const stillMine = (run: string) => () => {
      asked.push(writers);
      return Promise.resolve(holder === run);
    };
    const index = store.vectors({ model: "m", dimensions: 2 });
    await Promise.all([
      store.text.upsert(rows, { first: stillMine("first") }),
      index.upsert(vectors, { first: stillMine("first") }),
    ]);
    holder = "second";
    await Promise.all([
      store.text.upsert(rows, { first: stillMine("first") }),
      index.upsert(vectors, { first: stillMine("first") }),
    ]);
    expect(asked).toHaveLength(4);
    expect(Math.min(...asked)).toBeGreaterThan(0);
    await store.close();
    const connection = await connect(folder);
    for (const name of await connection.tableNames()) {
      const table = await connection.openTable(name);
      expect([name, await table.countRows()]).toEqual([name, 3]);
      table.close();
    }
    connection.close();
  });
});
