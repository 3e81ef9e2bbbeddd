import { createDataSource } from "@carrel/database";
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import type { DataSource } from "typeorm";
import { startTestIngest, workspaceScope, type TestIngest } from "../../test/test-ingest.ts";
import { PassageRepository } from "./passage-reader.ts";

let ingest: TestIngest;
let source: DataSource;
beforeAll(async () => {
  ingest = await startTestIngest({ embedder: false });
  source = await createDataSource(
    ingest.config.DATABASE_URL,
    { schema: "ingest", entities: [], migrations: [] },
    { poolSize: 1 },
  ).initialize();
});
afterAll(async () => {
  await source?.destroy();
  await ingest?.stop();
});

it("reads each stored part and each document's metadata once, whatever the number of passages", async () => {
  const text = Array.from({ length: 2_000 }, (_, n) => `Sentence ${n} of the log. `).join("");
  const ids: string[] = [];
  for (const name of ["a.txt", "b.txt"]) {
    const id = await ingest.upload(1, name, name + text);
    await ingest.until(1, id, "searchable");
    ids.push(id);
  }
  const gone = "00000000-0000-4000-8000-000000000000";
  const ranges = [...ids, gone, ...ids.toReversed(), ...ids].map((documentId, n) => ({
    documentId,
    start: n * 100,
    end: 30_000 + n * 100,
  }));
  const sent: Record<string, unknown>[] = [];
  const pool = (source.driver as unknown as { master: { query(q: unknown): Promise<unknown> } })
    .master;
  const query = pool.query.bind(pool);
  pool.query = async (asked) => {
    const result = (await query(asked)) as { rows: Record<string, unknown>[] };
    sent.push(...result.rows);
    return result;
  };
  const { passages } = await new PassageRepository(source).read(
    workspaceScope(1),
    ranges,
    new Map(),
  );
  expect(passages.map((passage) => passage && [passage.document.title, passage.text])).toEqual(
    ranges.map(({ documentId, start, end }) => {
      const title = ["a.txt", "b.txt"][ids.indexOf(documentId)];
      return title === undefined ? null : [title, (title + text).slice(start, end)];
    }),
  );
  const columnsOf = (name: string) =>
    sent.flatMap((row) => (typeof row[name] === "string" ? [row[name]] : []));
  expect(columnsOf("text").toSorted()).toEqual(
    await ingest
      .sql<{ text: string }>(
        `SELECT text FROM ingest.document_text WHERE start < 30600 AND document_id = ANY($1::uuid[])`,
        [ids],
      )
      .then((rows) => rows.map((row) => row.text).toSorted()),
  );
  expect(JSON.stringify(sent).split('"title"')).toHaveLength(ids.length + 1);
});
