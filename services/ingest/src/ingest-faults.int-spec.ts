import {
  countVectors,
  getEmbeddingState,
  listDocumentStatuses,
  removeWorkspaceDocument,
  retryDocument,
} from "@carrel/contracts";
import { poll } from "@carrel/testing";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import {
  libraryScope,
  startTestIngest,
  textsOf,
  workspaceScope,
  type TestIngest,
} from "../test/test-ingest.ts";

describe("when things go wrong", () => {
  let ingest: TestIngest;
  beforeAll(async () => {
    ingest = await startTestIngest({
      embedder: false,
      environment: { CARREL_PARSE_MEMORY: "64" },
    });
  });
  afterAll(async () => {
    await ingest?.stop();
  });

  it("serves full text without an embedder, and embeds once one is set", async () => {
    const id = await ingest.upload(
      1,
      "notes.txt",
      "The harbour crane was painted turquoise in spring.",
    );
    await ingest.until(1, id, "searchable");
    const before = await ingest.search(1, "What colour is the harbour crane?");
    expect(before.dense).toBe(false);
    expect(before.passages[0]!.text).toContain("turquoise");
    const count = async (): Promise<number> =>
      (await ingest.client.request(countVectors, { slug: "w1" }, { scope: libraryScope }))
        .vectorCount;
    // Existing clients take 0 for a workspace without documents.
    expect(await count()).toBe(1);
    expect(
      (await ingest.client.request(getEmbeddingState, {}, { scope: libraryScope })).hasEmbeddings,
    ).toBe(false);
    await ingest.changeSettings(ingest.withEmbedder);
    await ingest.until(1, id, "embedded");
    expect(await count()).toBe(1);
    expect(await ingest.search(1, "What colour is the harbour crane?")).toMatchObject({
      dense: true,
      fallback: null,
    });
  });

  it("answers by full text alone when the embedder fails, and reports why a document waits", async () => {
    ingest.fake.behave({ status: 500 });
    const id = await ingest.upload(
      1,
      "later.txt",
      "The archive of the observatory opens on Thursdays.",
    );
    await ingest.until(1, id, "searchable");
    const found = await ingest.search(1, "When does the observatory archive open on Thursdays?");
    expect(found.dense).toBe(false);
    expect(found.fallback).toEqual({ store: null, searched: "text-index" });
    expect(found.passages[0]!.documentId).toBe(id);
    await poll(async () => {
      const { documents } = await ingest.client.request(
        listDocumentStatuses,
        { slug: "w1", search: "later" },
        { scope: workspaceScope(1) },
      );
      return documents[0];
    }).toMatchObject({
      state: "searchable",
      reason: { code: expect.any(String) },
    });
    ingest.fake.behave({});
    // The failure cost only that question its vector.
    expect(await ingest.search(1, "Which archive opens on Thursdays?")).toMatchObject({
      dense: true,
      fallback: null,
    });
    await ingest.changeSettings({ ...ingest.withEmbedder });
    await ingest.until(1, id, "embedded");
  });

  it("refuses a broken XML file with the reason; its original is deleted, so it can only be removed", async () => {
    const id = await ingest.upload(1, "broken.xml", "<list>\n<a>1</b></list>");
    expect(await ingest.until(1, id, "failed")).toMatchObject({
      reason: {
        code: "file.damaged-from-line",
        params: { what: { code: "file-kind.xml" }, line: 2 },
      },
    });
    const { documents } = await ingest.client.request(
      listDocumentStatuses,
      { slug: "w1", search: "broken" },
      { scope: workspaceScope(1) },
    );
    expect(documents[0]).toMatchObject({ state: "failed", hasOriginal: false });
    expect(
      await ingest.client.request(
        retryDocument,
        { slug: "w1", documentId: id },
        { scope: workspaceScope(1) },
      ),
    ).toEqual({ success: false });
    expect(
      await ingest.client.request(
        removeWorkspaceDocument,
        { slug: "w1", documentId: id, purge: true },
        { scope: workspaceScope(1) },
      ),
    ).toEqual({ success: true });
    expect(
      (
        await ingest.client.request(
          listDocumentStatuses,
          { slug: "w1", search: "broken" },
          { scope: workspaceScope(1) },
        )
      ).documents,
    ).toEqual([]);
    const lines = await ingest.upload(
      1,
      "log.jsonl",
      '{"event":"lighthouse lit"}\n{"event":"lighthouse out"}',
    );
    await ingest.until(1, lines, "searchable", "embedding", "embedded");
  });

  it("lets a document that kills its worker fail alone", async () => {
    // Far more cells than 64 MB of heap can hold.
    const greedy = ingest.upload(1, "greedy.csv", `a,b,c,d\n${"1,2,3,4\n".repeat(2_500_000)}`);
    const modest = ingest.upload(1, "modest.txt", "A modest document about lanterns.");
    const [greedyId, modestId] = await Promise.all([greedy, modest]);
    await ingest.until(1, modestId, "embedded");
    expect(await ingest.until(1, greedyId, "failed")).toMatchObject({
      reason: { code: "file.needs-too-much-memory", params: { megabytes: 64 } },
    });
    const after = await ingest.upload(1, "after.txt", "A document after the crash, about candles.");
    await ingest.until(1, after, "embedded");
  });

  it("retries a document whose original was unreachable", async () => {
    const id = await ingest.upload(1, "again.txt", "The walnut staircase leads to the attic.");
    await ingest.until(1, id, "searchable", "embedding", "embedded");
    await ingest.sql(
      `UPDATE ingest.document SET state = 'failed', reason = '{"code":"file.parsing-failed"}' WHERE id = $1`,
      [id],
    );
    await ingest.sql(
      `UPDATE ingest.workspace_document SET state = 'failed',
        reason = '{"code":"file.parsing-failed"}'
      WHERE document_id = $1`,
      [id],
    );
    expect(
      await ingest.client.request(
        retryDocument,
        { slug: "w1", documentId: id },
        { scope: workspaceScope(1) },
      ),
    ).toEqual({ success: true });
    await ingest.until(1, id, "embedded");
    const { passages } = await ingest.search(1, "Where does the walnut staircase lead?");
    expect(textsOf(passages).filter((text) => text.includes("walnut"))).toHaveLength(1);
  });

  it("neither loses nor duplicates anything when Redis is flushed and the service restarts midway", async () => {
    const ids = await Promise.all(
      Array.from({ length: 40 }, (_, i) =>
        ingest.upload(
          1,
          `flush-${i}.txt`,
          `Flush document number ${i} mentions the keyword zebra${i} once.\n\n${"Filler text about nothing at all. ".repeat(200)}`,
        ),
      ),
    );
    await ingest.shared.messaging.connections.commands.flushall();
    await ingest.restart();
    await ingest.shared.messaging.connections.commands.flushall();
    for (const id of ids) await ingest.until(1, id, "embedded");
    const rows = await ingest.sql<{ id: string }>(
      `SELECT c.id FROM ingest.chunk c
      JOIN ingest.workspace_document w ON w.id = c.workspace_document_id
        AND w.index_version <> c.version`,
    );
    expect(rows).toEqual([]);
    const { passages } = await ingest.search(1, "zebra17", { mode: "text" });
    expect(passages.map((passage) => passage.documentId)).toEqual([ids[17]]);
    const doubled = await ingest.sql(
      `SELECT workspace_document_id, ordinal FROM ingest.chunk GROUP BY 1, 2 HAVING count(*) > 1`,
    );
    expect(doubled).toEqual([]);
  });
});
