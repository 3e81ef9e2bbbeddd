import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { connect } from "@lancedb/lancedb";
import { openLanceStore } from "./lance-store.ts";

describe("rows that were never written before", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "carrel-store-"));
  });
  afterEach(async () => {
    await rm(folder, { recursive: true, force: true });
  });

  it("are checked while no other process can write, so a superseded run writes no duplicates", async () => {
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
    // The run named in the job's row: the first run, then the second.
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

describe("a table whose creation was interrupted", () => {
  it("is completed, and nothing counts as lost", async () => {
    const folder = await mkdtemp(path.join(tmpdir(), "carrel-store-"));
    const row = { id: randomUUID(), workspaceId: 1, documentId: "d", version: 1 };
    const first = await openLanceStore({ folder });
    await first.text.upsert([{ ...row, terms: ["kept"] }]);
    const identity = await first.identity();
    await first.close();
    // A process was killed after creating the table's files, before its indexes and its entry.
    const connection = await connect(folder);
    const source = await openLanceStore({ folder: path.join(folder, "other") });
    await source
      .vectors({ model: "m", dimensions: 2 })
      .upsert([{ ...row, vector: Float32Array.of(1, 0) }]);
    await source.close();
    const made = await connect(path.join(folder, "other"));
    const [name] = (await made.tableNames()).filter((each) => each.startsWith("vector-"));
    const schema = await (await made.openTable(name!)).schema();
    (await connection.createEmptyTable(name!, schema)).close();

    const second = await openLanceStore({ folder });
    const vectors = second.vectors({ model: "m", dimensions: 2 });
    await vectors.upsert([{ ...row, vector: Float32Array.of(1, 0) }], { first: true });
    expect(await second.identity()).toBe(identity);
    const table = await connection.openTable(name!);
    expect((await table.listIndices()).flatMap(({ columns }) => columns).sort()).toEqual([
      "document_id",
      "id",
      "workspace_id",
    ]);
    table.close();
    await second.close();
    // Its loss is detected from now on.
    await rm(path.join(folder, `${name}.lance`), { recursive: true });
    const third = await openLanceStore({ folder });
    await third.vectors({ model: "m", dimensions: 2 }).search({
      workspaceId: 1,
      vector: Float32Array.of(1, 0),
      limit: 1,
    });
    expect(await third.identity()).not.toBe(identity);
    await third.close();
    connection.close();
    made.close();
    await rm(folder, { recursive: true, force: true });
  });
});
