import {
  deleteParsedFiles,
  listContextTexts,
  listFileThreads,
  multiUserEnabled,
  threadDeleted,
  userDeleted,
  type WorkspaceScope,
} from "@carrel/contracts";
import { eventMessage } from "@carrel/messaging";
import { poll } from "@carrel/testing";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { as, parsed } from "../../test/chat-files.ts";
import {
  libraryScope,
  startTestIngest,
  workspaceScope,
  type TestIngest,
} from "../../test/test-ingest.ts";

describe("files dropped on a chat", () => {
  let ingest: TestIngest;
  beforeAll(async () => {
    ingest = await startTestIngest();
  });
  afterAll(async () => {
    await ingest?.stop();
  });

  const texts = async (scope: WorkspaceScope, threadId: number): Promise<string[]> =>
    (
      await ingest.client.request(
        listContextTexts,
        { threadId, maximumCharacters: 100_000 },
        { scope },
      )
    ).texts.map((text) => text.text);
  const rows = async (): Promise<{ files: number; documents: number; texts: number }> =>
    (
      await ingest.sql<{ files: number; documents: number; texts: number }>(
        `SELECT (SELECT count(*)::int FROM ingest.parsed_file) AS files,
          (SELECT count(*)::int FROM ingest.document WHERE NOT in_library) AS documents,
          (
            SELECT count(*)::int FROM ingest.document_text t
            JOIN ingest.document d ON d.id = t.document_id
            WHERE NOT d.in_library
          ) AS texts`,
      )
    )[0]!;

  it("are deleted on request and with their thread, user or workspace, including originals", async () => {
    const before = await rows();
    for (const n of [1, 2]) await ingest.drop(as(7), 40, `a${n}.txt`, `Of thread 40, ${n}.`);
    await ingest.drop(as(7), 41, "b.txt", "Of thread 41.");
    await ingest.drop(as(8), 42, "c.txt", "Of user 8.");
    await ingest.drop(as(8, 2), 43, "d.txt", "Of workspace 2.");
    await ingest.drop(as(9, 2), 44, "e.txt", "Of workspace 2 too.");
    const [first] = await parsed(ingest, as(7), 40, 2);
    await Promise.all([
      parsed(ingest, as(7), 41, 1),
      parsed(ingest, as(8), 42, 1),
      parsed(ingest, as(8, 2), 43, 1),
      parsed(ingest, as(9, 2), 44, 1),
    ]);
    expect(
      (
        await ingest.client.request(listFileThreads, { after: 39 }, { scope: libraryScope })
      ).threads.map((one) => one.threadId),
    ).toEqual([40, 41, 42, 43, 44]);
    await ingest.client.request(
      deleteParsedFiles,
      { slug: "w1", fileIds: [first!.id, 2_000_000_000] },
      { scope: as(7) },
    );
    expect((await ingest.files(as(7), 40)).map((file) => file.title)).toEqual(["a2.txt"]);
    await ingest.shared.messaging.sender.send(
      eventMessage(threadDeleted, { workspaceId: 1, threadIds: [40, 999] }),
    );
    await poll(() => ingest.files(as(7), 40)).toEqual([]);
    expect(await ingest.files(as(7), 41)).toHaveLength(1);
    await expect(ingest.drop(as(7), 40, "late.txt", "Late.")).rejects.toMatchObject({
      kind: "THREAD_NOT_FOUND",
    });
    await ingest.shared.messaging.sender.send(eventMessage(userDeleted, { userId: 8 }));
    await poll(async () => [
      ...(await ingest.files(as(8), 42)),
      ...(await ingest.files(as(8, 2), 43)),
    ]).toEqual([]);
    await expect(ingest.drop(as(8), 45, "late.txt", "Late.")).rejects.toMatchObject({
      kind: "THREAD_NOT_FOUND",
    });
    await ingest.deleteWorkspace(2);
    await poll(() => ingest.files(as(9, 2), 44)).toEqual([]);
    await expect(ingest.drop(as(9, 2), 44, "late.txt", "Late.")).rejects.toMatchObject({
      kind: "WORKSPACE_NOT_FOUND",
    });
    await ingest.client.request(
      deleteParsedFiles,
      { slug: "w1", fileIds: (await ingest.files(as(7), 41)).map((file) => file.id) },
      { scope: as(7) },
    );
    expect(await rows()).toEqual(before);
    // A registration in flight when its thread was deleted; the second pass finds it.
    const late = await ingest.drop(as(7), 46, "late.txt", "Late.");
    await ingest.sql(
      `INSERT INTO ingest.deleted_thread (thread_id, deleted_at) VALUES (46, now() - interval '2 minutes')`,
    );
    await poll(() =>
      ingest.sql(`SELECT 1 FROM ingest.parsed_file WHERE id = $1`, [late.id]),
    ).toEqual([]);
    const referred = (
      await ingest.sql<{ key: string }>(
        `SELECT DISTINCT blob_key AS key FROM ingest.document WHERE blob_key IS NOT NULL`,
      )
    ).map((row) => row.key);
    await poll(async () => (await ingest.blobKeys()).sort()).toEqual(referred.sort());
  });

  it("are limited in number and created once per request", async () => {
    await ingest.sql(`WITH d AS (
        INSERT INTO ingest.document (
          id, docpath, folder, filename, title, url, doc_author, description, doc_source,
          chunk_source, published, mime, bytes, sha256, state, in_library
        )
        SELECT gen_random_uuid(), 'direct-uploads/' || n, 'direct-uploads', repeat('ü', 250),
          repeat('ü', 250), repeat('ü', 250), '', '', '', '', '', 'text/plain', 1, 'x', 'parsed',
          false
        FROM generate_series(1, 200) n
        RETURNING id
      )
      INSERT INTO ingest.parsed_file (workspace_id, thread_id, user_id, document_id)
      SELECT 1, 50, 3, id
      FROM d`);
    await expect(ingest.drop(as(3), 50, "more.txt", "One too many.")).rejects.toMatchObject({
      kind: "BAD_INPUT",
    });
    expect(await ingest.files(as(3), 50)).toHaveLength(200);
    await ingest.sql(
      `DELETE FROM ingest.document WHERE id IN (SELECT document_id FROM ingest.parsed_file WHERE thread_id = 50)`,
    );
  });

  it("of single-user mode go to the first admin", async () => {
    const scope = workspaceScope(1);
    await ingest.drop(scope, 60, "mine.txt", "Of the instance.");
    await parsed(ingest, scope, 60, 1);
    await ingest.shared.messaging.sender.send(
      eventMessage(multiUserEnabled, { adminId: 70, at: new Date().toISOString() }),
    );
    await poll(() => ingest.files(as(70, 1, "admin"), 60)).toHaveLength(1);
    expect(await texts(as(70, 1, "admin"), 60)).toEqual(["Of the instance."]);
    expect(await ingest.files(scope, 60)).toEqual([]);
  });
});
