import { poll } from "@carrel/testing";
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { startTestIngest, textsOf, type TestIngest } from "../../test/test-ingest.ts";

let ingest: TestIngest;
beforeAll(async () => {
  ingest = await startTestIngest({ elsewhere: true });
});
afterAll(async () => {
  await ingest?.stop();
});

const content = (log: string, word: string): string =>
  Array.from({ length: 40 }, (_, n) =>
    `Paragraph ${n} of the ${log} log tells of a ${word}. `.repeat(8),
  ).join("\n\n");

/** What a revision has left when its process is killed. */
const stages: [name: string, isReached: string][] = [
  ["queued", "SELECT 1 FROM ingest.document WHERE revises IS NOT NULL"],
  ["written", "SELECT 1 FROM ingest.revision_publication"],
];

it.each(stages)(
  "a revision whose process is killed once it is %s is published by another, once",
  async (name, isReached) => {
    let replica = await ingest.startReplica();
    const id = await ingest.upload(1, `${name}.txt`, content(name, "heron"));
    await ingest.until(1, id, "embedded");
    ingest.fake.behave({ embeddingDelayMs: 600_000 });
    await ingest.revise(id, content(name, "osprey"), "2026-11-28T00:00:00Z");
    await poll(() => ingest.sql(isReached), { timeoutMs: 60_000 }).not.toEqual([]);
    expect(textsOf((await ingest.search(1, "heron", { mode: "text" })).passages)).not.toEqual([]);
    await replica.kill();
    ingest.fake.behave({});
    replica = await ingest.startReplica();
    await poll(() => ingest.sql(`SELECT revision FROM ingest.document WHERE id = $1`, [id]), {
      timeoutMs: 120_000,
    }).toEqual([{ revision: 2 }]);
    await ingest.until(1, id, "embedded");
    const { passages } = await ingest.search(1, "osprey");
    expect(textsOf(passages).join(" ")).toContain("osprey");
    expect(textsOf((await ingest.search(1, "heron", { mode: "text" })).passages)).toEqual([]);
    for (const left of [
      "SELECT 1 FROM ingest.document WHERE revises IS NOT NULL",
      "SELECT 1 FROM ingest.revision_publication",
      `SELECT 1 FROM ingest.chunk c
      JOIN ingest.workspace_document w ON w.id = c.workspace_document_id
      WHERE c.version <> w.index_version`,
    ])
      expect(await ingest.sql(left)).toEqual([]);
    await replica.kill();
  },
  180_000,
);
