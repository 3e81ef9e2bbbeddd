import path from "node:path";
import { startFakeLlm, waitFor, type FakeLlm } from "@carrel/testing";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { connect } from "@lancedb/lancedb";
import { startTestIngest, textsOf, type TestIngest } from "../../test/test-ingest.ts";

const report = (n: number) =>
  `Report ${n} mentions the keyword zebra${n} once.\n\n${Array.from({ length: 12 }, (_, i) => `Paragraph ${i} of report ${n} tells what happened at harbour ${n} on day ${i} and what the crew of ship ${n * 31 + i} did about it in the end.`).join("\n\n")}`;

describe("an index build", () => {
  let ingest: TestIngest;
  let other: FakeLlm;
  beforeEach(async () => {
    [ingest, other] = await Promise.all([
      startTestIngest({ elsewhere: true }),
      startFakeLlm({ dimensions: 256, embeddingDelayMs: 150 }),
    ]);
  });
  afterEach(async () => {
    await ingest?.stop();
    await other?.stop();
  });

  it("survives kill -9 of the only process halfway through", async () => {
    const first = await ingest.startReplica();
    const ids = await Promise.all(
      Array.from({ length: 14 }, (_, n) => ingest.upload(1, `report-${n}.txt`, report(n))),
    );
    for (const id of ids) await ingest.until(1, id, "embedded");
    // Six calls are answered and the rest held, so the build can't finish before the kill.
    other.behave({ embeddingDelayMs: 600_000 });
    for (let call = 0; call < 6; call += 1) other.next({});
    await ingest.changeSettings({
      EmbeddingEngine: "generic-openai",
      EmbeddingBasePath: `${other.url}/v1`,
      EmbeddingModelPref: "another-model",
      GenericOpenAiEmbeddingMaxConcurrentChunks: "2",
    });
    await waitFor(
      async () =>
        (await ingest.sql(`SELECT 1 FROM ingest.search_index_entry WHERE index_version > 0`))
          .length >= 2,
      { timeoutMs: 40_000, what: "some documents to be in the new index" },
    );
    await first.kill();
    other.behave({});
    expect(
      await ingest.sql(`SELECT 1 FROM ingest.search_index WHERE role = 'building'`),
    ).toHaveLength(1);
    // Skips waiting for its lease to expire.
    await ingest.sql(`UPDATE ingest.search_index SET lease_until = now() WHERE role = 'building'`);
    await ingest.startReplica();
    await waitFor(
      async () =>
        (
          await ingest.sql(
            `SELECT 1 FROM ingest.search_index WHERE role = 'active' AND model = 'another-model'`,
          )
        ).length > 0,
      { timeoutMs: 60_000, what: "the new index to answer" },
    );
    for (const id of ids) expect((await ingest.state1(1, id))?.state).toBe("embedded");
    const live = (await ingest.sql<{ id: string }>(`SELECT id FROM ingest.chunk ORDER BY 1`)).map(
      ({ id }) => id,
    );
    const connection = await connect(path.join(ingest.config.CARREL_HOME, "index"));
    const tables = await connection.tableNames();
    expect(tables).toHaveLength(3);
    for (const name of tables) {
      const table = await connection.openTable(name);
      expect(
        ((await table.query().select(["id"]).toArray()) as { id: string }[])
          .map((row) => row.id)
          .sort(),
      ).toEqual(live);
      table.close();
    }
    connection.close();
    const found = await ingest.search(1, "zebra7");
    expect(found.dense).toBe(true);
    expect(textsOf(found.passages)[0]).toContain("zebra7 ");
  }, 90_000); // starts two processes
});
