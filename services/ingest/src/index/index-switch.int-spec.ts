import path from "node:path";
import {
  dropPreviousIndex,
  getIndexState,
  stopIndexBuild,
  undoIndexSwitch,
  workspaceDocumentsChanged,
  type Out,
} from "@carrel/contracts";
import { startFakeLlm, waitFor, type FakeLlm, poll } from "@carrel/testing";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { connect } from "@lancedb/lancedb";
import { libraryScope, startTestIngest, textsOf, type TestIngest } from "../../test/test-ingest.ts";

const report = (n: number) =>
  `Report ${n} mentions the keyword zebra${n} once.\n\n${Array.from({ length: 12 }, (_, i) => `Paragraph ${i} of report ${n} tells what happened at harbour ${n} on day ${i} and what the crew of ship ${n * 31 + i} did about it in the end.`).join("\n\n")}`;

describe("switching to another embedder", () => {
  let ingest: TestIngest;
  let other: FakeLlm;
  beforeEach(async () => {
    [ingest, other] = await Promise.all([startTestIngest(), startFakeLlm({ dimensions: 256 })]);
  });
  afterEach(async () => {
    other.behave({});
    await ingest?.stop();
    await other?.stop();
  });

  const state = (): Promise<Out<typeof getIndexState>> =>
    ingest.client.request(getIndexState, {}, { scope: libraryScope });
  const another = () => ({
    EmbeddingEngine: "generic-openai",
    EmbeddingBasePath: `${other.url}/v1`,
    EmbeddingModelPref: "another-model",
    GenericOpenAiEmbeddingMaxConcurrentChunks: "8",
  });
  const uploadAll = async (from: number, to: number): Promise<string[]> => {
    const ids = await Promise.all(
      Array.from({ length: to - from }, (_, i) =>
        ingest.upload(1, `report-${from + i}.txt`, report(from + i)),
      ),
    );
    for (const id of ids) await ingest.until(1, id, "embedded");
    return ids;
  };
  const answers = async (n: number) => {
    const found = await ingest.search(1, `What about zebra${n}?`);
    expect(found.dense).toBe(true);
    expect(textsOf(found.passages).join()).toContain(`zebra${n} `);
  };
  const switched = (model = "another-model") =>
    waitFor(
      async () => {
        // Keeps what searches cache about the workspace as fresh as possible before the switch.
        await ingest.search(1, "zebra");
        const now = await state();
        return now.building === null && now.active?.model === model ? now : null;
      },
      { timeoutMs: 40_000, what: `the index of ${model} to answer` },
    );

  /**
   * Every live chunk is in the active index's table exactly once; rows of removed chunks are swept
   * soon.
   */
  const expectComplete = () =>
    poll(() => expectCompleteNow().then(() => true), { intervalMs: 200 }).toBe(true);
  async function expectCompleteNow(): Promise<void> {
    const live = (
      await ingest.sql<{ id: string }>(
        `SELECT c.id FROM ingest.chunk c
        JOIN ingest.workspace_document w ON w.id = c.workspace_document_id
          AND w.index_version = c.version
        ORDER BY 1`,
      )
    ).map(({ id }) => id);
    const [active] = await ingest.sql<{ dimensions: number }>(
      `SELECT dimensions FROM ingest.search_index WHERE role = 'active'`,
    );
    const connection = await connect(path.join(ingest.config.CARREL_HOME, "index"));
    try {
      for (const name of await connection.tableNames()) {
        const table = await connection.openTable(name);
        const schema = await table.schema();
        const vector = schema.fields.find((field) => field.name === "vector");
        const rows = (await table.query().select(["id"]).toArray()) as { id: string }[];
        table.close();
        if (vector && (vector.type as { listSize: number }).listSize !== active!.dimensions)
          continue;
        expect(rows.map((row) => row.id).sort()).toEqual(live);
      }
    } finally {
      connection.close();
    }
  }

  it("builds its index while the old one answers, activates it, can be undone, and frees a deleted index", async () => {
    const ids = await uploadAll(0, 8);
    expect(await state()).toMatchObject({
      active: {
        engine: "generic-openai",
        model: "fake-embedder",
        dimensions: 384,
        vectorDatabase: "lancedb",
      },
      wanted: null,
      building: null,
      previous: null,
    });
    // The new embedder is slow, so questions and uploads still use the old one.
    other.behave({ embeddingDelayMs: 4_000 });
    await ingest.changeSettings(another());
    await waitFor(() => other.requests.length > 0, { what: "the new embedder to be asked" });
    expect(await state()).toMatchObject({
      active: { model: "fake-embedder" },
      building: { target: { model: "another-model" }, state: "running", documentsTotal: 8 },
    });
    await answers(3);
    const [late] = await uploadAll(8, 9);
    await answers(8);
    const { docpath } = (await ingest.state1(1, ids[0]!))!;
    await ingest.change(1, [], [docpath!]);
    expect(await state()).toMatchObject({
      active: { model: "fake-embedder" },
      building: { target: { model: "another-model" } },
    });
    other.behave({});
    const done = await switched();
    expect(done).toMatchObject({
      active: { model: "another-model", dimensions: 256 },
      previous: { target: { model: "fake-embedder" } },
      wanted: null,
    });
    for (const id of [...ids.slice(1), late!]) await ingest.until(1, id, "embedded");
    await expectComplete();
    const before = ingest.fake.requests.length;
    await answers(8);
    await answers(5);
    expect(ingest.fake.requests.length).toBe(before);
    expect(textsOf((await ingest.search(1, "zebra0")).passages).join()).not.toContain("zebra0 ");

    // Documents added since are embedded for the previous index, which is active immediately.
    const [newest] = await uploadAll(9, 10);
    const changed: unknown[] = [];
    const stop = ingest.shared.messaging.broadcast.on(
      `event:${workspaceDocumentsChanged.name}`,
      (payload) => changed.push(payload),
    );
    // Once nothing else is due, only the switch itself changes the workspace.
    await poll(() => ingest.sql("SELECT 1 FROM ingest.outbox")).toEqual([]);
    changed.length = 0;
    expect(await ingest.client.request(undoIndexSwitch, {}, { scope: libraryScope })).toEqual({
      success: true,
    });
    await poll(() => changed).toContainEqual({ workspaceId: 1 });
    stop();
    expect(await state()).toMatchObject({
      active: { model: "fake-embedder" },
      building: null,
      previous: { target: { model: "another-model" } },
    });
    expect(ingest.state.settings).toMatchObject({
      EmbeddingModelPref: "fake-embedder",
      EmbeddingBasePath: `${ingest.fake.url}/v1`,
    });
    await answers(5);
    await ingest.until(1, newest!, "embedded");
    await answers(9);
    await expectComplete();

    expect(await ingest.client.request(dropPreviousIndex, {}, { scope: libraryScope })).toEqual({
      success: true,
    });
    await expect(
      ingest.client.request(undoIndexSwitch, {}, { scope: libraryScope }),
    ).rejects.toMatchObject({ kind: "CONFLICT" });
    await expect(
      ingest.client.request(dropPreviousIndex, {}, { scope: libraryScope }),
    ).rejects.toMatchObject({ kind: "CONFLICT" });
    await expect(
      ingest.client.request(stopIndexBuild, {}, { scope: libraryScope }),
    ).rejects.toMatchObject({ kind: "CONFLICT" });
    await poll(() =>
      ingest.sql(`SELECT 1 FROM ingest.search_index WHERE role <> 'active'`),
    ).toEqual([]);
    await poll(async () => {
      const connection = await connect(path.join(ingest.config.CARREL_HOME, "index"));
      const names = await connection.tableNames();
      connection.close();
      return names;
    }).toHaveLength(2);
    await answers(9);
  });

  it("reports a refused key, loses nothing and continues with the right key; stopping restores the old settings", async () => {
    await uploadAll(0, 3);
    other.behave({ status: 401, error: { message: "Incorrect API key provided." } });
    await ingest.changeSettings({ ...another(), GenericOpenAiEmbeddingApiKey: "wrong" });
    const failed = await waitFor(
      async () => {
        const { building } = await state();
        return building?.state === "failed" ? building : null;
      },
      { what: "the build to fail" },
    );
    expect(failed.fault).toMatchObject({ code: "provider.key-rejected" });
    await answers(1);
    expect(await ingest.client.request(stopIndexBuild, {}, { scope: libraryScope })).toEqual({
      success: true,
    });
    expect(ingest.state.settings).toEqual(ingest.withEmbedder);
    expect(await state()).toMatchObject({
      active: { model: "fake-embedder" },
      building: null,
      wanted: null,
    });
    await answers(1);
    // Again, this time correcting the key afterwards.
    await ingest.changeSettings({ ...another(), GenericOpenAiEmbeddingApiKey: "wrong" });
    await waitFor(async () => (await state()).building?.state === "failed");
    other.behave({});
    await ingest.changeSettings({ ...another(), GenericOpenAiEmbeddingApiKey: "right" });
    await switched();
    await answers(2);
    expect(other.requests.at(-1)!.headers.authorization).toBe("Bearer right");
    // Incomplete settings can't be built, and the message says what is missing.
    await ingest.changeSettings({ EmbeddingEngine: "openai" });
    await poll(() => state()).toMatchObject({
      active: { model: "another-model" },
      building: null,
      wanted: { engine: "openai" },
      reason: { code: "provider.key-missing" },
    });
    await answers(2);
  });

  it("switches back and forth, completing the previous index rather than rebuilding it, and a third choice replaces the second", async () => {
    await uploadAll(0, 4);
    await ingest.changeSettings(another());
    await switched();
    await uploadAll(4, 5);
    const asked = ingest.fake.requests.length;
    await ingest.changeSettings(ingest.withEmbedder);
    await switched("fake-embedder");
    // Only documents added since were embedded for it.
    const texts = ingest.fake.requests
      .slice(asked)
      .flatMap((request) => [request.body.input].flat() as string[]);
    expect(texts.join()).toContain("zebra4 ");
    expect(texts.join()).not.toContain("zebra1 ");
    await answers(4);
    await ingest.changeSettings({ ...another(), EmbeddingModelPref: "a-third-model" });
    const third = await switched("a-third-model");
    expect(third.previous).toMatchObject({ target: { model: "fake-embedder" } });
    await answers(0);
    await expectComplete();
  });
});
