import { afterAll, afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import {
  deleteParsedFiles,
  findParsedFiles,
  getDocumentText,
  listContextTexts,
  listFileThreads,
  listWorkspaceDocuments,
  multiUserEnabled,
  promoteParsedFile,
  removeAndUnembed,
  threadDeleted,
  userDeleted,
  type Principal,
  type WorkspaceScope,
} from "@carrel/contracts";
import { eventMessage } from "@carrel/messaging";
import { eventually, waitFor } from "@carrel/testing";
import {
  libraryScope,
  startTestIngest,
  textsOf,
  workspaceScope,
  type TestIngest,
} from "../../test/test-ingest.ts";

const person = (userId: number, role: Principal["role"] = "default"): Principal => ({
  kind: "user",
  userId,
  role,
});
const as = (
  userId: number,
  workspaceId = 1,
  role: Principal["role"] = "default",
): WorkspaceScope => ({ ...workspaceScope(workspaceId), principal: person(userId, role) });
const parsed = (ingest: TestIngest, scope: WorkspaceScope, threadId: number, count: number) =>
  waitFor(
    async () => {
      const files = await ingest.files(scope, threadId);
      return files.length === count && files.every((file) => file.state !== "queued")
        ? files
        : null;
    },
    { timeoutMs: 60_000, what: `${count} files to be read` },
  );

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
        `SELECT (SELECT count(*)::int FROM "ingest"."parsed_file") AS "files", (SELECT count(*)::int FROM "ingest"."document" WHERE NOT "in_library") AS "documents",
      (SELECT count(*)::int FROM "ingest"."document_text" t JOIN "ingest"."document" d ON d."id" = t."document_id" WHERE NOT d."in_library") AS "texts"`,
      )
    )[0]!;

  it("are parsed, listed and used in prompts in order, and appear in no library or search", async () => {
    const { id, documentId } = await ingest.drop(
      as(3),
      10,
      '../Report "final".md',
      "# Report\n\nThe marmot sleeps all winter.",
    );
    await ingest.drop(as(3), 10, "notes.txt", "The badger does not.");
    const [file, notes] = await parsed(ingest, as(3), 10, 2);
    expect(file).toMatchObject({
      id,
      documentId,
      workspaceId: 1,
      threadId: 10,
      userId: 3,
      title: "Report final.md",
      filename: `report-final-.md-${documentId}.json`.replace("-.md", ".md"),
      state: "parsed",
      reason: null,
      tokenCountEstimate: expect.any(Number),
    });
    expect(file!.tokenCountEstimate).toBeGreaterThan(5);
    expect(file!.location).toBe(`direct-uploads/${file!.filename}`);
    expect(JSON.parse(file!.metadata)).toMatchObject({
      id: documentId,
      title: "Report final.md",
      token_count_estimate: file!.tokenCountEstimate,
      wordCount: expect.any(Number),
      location: file!.location,
    });
    expect(await texts(as(3), 10)).toEqual([
      "# Report\n\nThe marmot sleeps all winter.",
      "The badger does not.",
    ]);
    expect(
      await ingest.client.request(
        findParsedFiles,
        { threadId: 10, ids: [notes!.id] },
        { scope: as(3) },
      ),
    ).toEqual({ files: [notes] });
    expect(await ingest.tree()).toEqual([{ name: "custom-documents", type: "folder", items: [] }]);
    expect(
      (await ingest.client.request(listWorkspaceDocuments, {}, { scope: workspaceScope(1) }))
        .documents,
    ).toEqual([]);
    expect((await ingest.search(1, "marmot")).passages).toEqual([]);
    expect(await ingest.change(1, [file!.location])).toMatchObject({ added: [] });
    await expect(
      ingest.client.request(
        removeAndUnembed,
        { slug: "w1", documentLocation: file!.location },
        { scope: workspaceScope(1) },
      ),
    ).rejects.toMatchObject({ code: "DOCUMENT_NOT_FOUND" });
    // A citation of the file opens for its owner.
    expect(
      (await ingest.client.request(getDocumentText, { slug: "w1", documentId }, { scope: as(3) }))
        .text,
    ).toContain("marmot");
  });

  it("are visible only to their owner, in their thread and workspace, whatever the role", async () => {
    const [file] = await parsed(ingest, as(3), 10, 2);
    for (const scope of [as(4), as(4, 1, "admin"), as(3, 2), workspaceScope(1)]) {
      expect(await ingest.files(scope, 10)).toEqual([]);
      expect(await texts(scope, 10)).toEqual([]);
      await expect(
        ingest.client.request(deleteParsedFiles, { slug: "w", fileIds: [file!.id] }, { scope }),
      ).rejects.toMatchObject({ code: "DOCUMENT_NOT_FOUND" });
      await expect(
        ingest.client.request(promoteParsedFile, { id: file!.id }, { scope }),
      ).rejects.toMatchObject({ code: "DOCUMENT_NOT_FOUND" });
      await expect(
        ingest.client.request(
          getDocumentText,
          { slug: "w", documentId: file!.documentId },
          { scope },
        ),
      ).rejects.toMatchObject({ code: "DOCUMENT_NOT_FOUND" });
    }
    expect(await ingest.files(as(3), 11)).toEqual([]);
    await expect(
      ingest.client.request(deleteParsedFiles, { slug: "w1", fileIds: [] }, { scope: as(3) }),
    ).rejects.toMatchObject({ code: "BAD_INPUT" });
    expect(await ingest.files(as(3), 10)).toHaveLength(2);
  });

  it("report why parsing failed and can be deleted", async () => {
    await ingest.drop(as(5), 20, "broken.pdf", "%PDF-1.4 this is no pdf");
    const [file] = await parsed(ingest, as(5), 20, 1);
    expect(file).toMatchObject({ state: "failed", reason: "The PDF is damaged or cut off." });
    expect(await texts(as(5), 20)).toEqual([]);
    await ingest.sql(
      `UPDATE "ingest"."document" SET "updated_at" = now() - interval '11 minutes' WHERE "id" = $1`,
      [file!.documentId],
    );
    await eventually(async () => expect(await ingest.files(as(5), 20)).toEqual([]));
  });

  it("become workspace documents without another upload", async () => {
    const blobs = (await ingest.blobKeys()).length;
    const { id, documentId } = await ingest.drop(
      as(6),
      30,
      "orchard.md",
      "# Orchard\n\nThe quince tree bears fruit in October.",
    );
    await parsed(ingest, as(6), 30, 1);
    const scope = as(6, 1, "manager");
    expect(
      await ingest.client.request(
        promoteParsedFile,
        { id },
        { scope, idempotencyKey: "promote-1" },
      ),
    ).toEqual({ documentId });
    // Redelivery of the same request.
    expect(
      await ingest.client.request(
        promoteParsedFile,
        { id },
        { scope, idempotencyKey: "promote-1" },
      ),
    ).toEqual({ documentId });
    await expect(ingest.client.request(promoteParsedFile, { id }, { scope })).rejects.toMatchObject(
      { code: "DOCUMENT_NOT_FOUND" },
    );
    await ingest.until(1, documentId, "embedded");
    expect(await ingest.files(scope, 30)).toEqual([]);
    expect(
      textsOf((await ingest.search(1, "When does the quince tree bear fruit?")).passages)[0],
    ).toContain("October");
    const { documents } = await ingest.client.request(
      listWorkspaceDocuments,
      { documentIds: [documentId] },
      { scope },
    );
    expect(documents).toEqual([
      expect.objectContaining({
        docId: documentId,
        docpath: `custom-documents/orchard.md-${documentId}.json`,
      }),
    ]);
    expect(
      (await ingest.tree()).flatMap((folder) => folder.items).map((file) => file.id),
    ).toContain(documentId);
    expect((await ingest.blobKeys()).length).toBe(blobs + 1);
    // The document outlives its thread, because it now belongs to the workspace.
    await ingest.shared.messaging.sender.send(
      eventMessage(threadDeleted, { workspaceId: 1, threadIds: [30] }),
    );
    await eventually(async () =>
      expect(
        await ingest.sql(`SELECT 1 FROM "ingest"."deleted_thread" WHERE "thread_id" = 30`),
      ).toHaveLength(1),
    );
    expect((await ingest.search(1, "quince tree")).passages.length).toBeGreaterThan(0);
  });

  it("that cannot be read are refused as documents and deleted", async () => {
    const { id } = await ingest.drop(as(6), 31, "broken.json", '{\n"a": [1,');
    await parsed(ingest, as(6), 31, 1);
    await expect(
      ingest.client.request(promoteParsedFile, { id }, { scope: as(6, 1, "manager") }),
    ).rejects.toMatchObject({
      code: "DOCUMENT_UNREADABLE",
      message: expect.stringContaining("JSON"),
    });
    expect(await ingest.files(as(6), 31)).toEqual([]);
  });

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
    await eventually(async () => expect(await ingest.files(as(7), 40)).toEqual([]));
    expect(await ingest.files(as(7), 41)).toHaveLength(1);
    await expect(ingest.drop(as(7), 40, "late.txt", "Late.")).rejects.toMatchObject({
      code: "THREAD_NOT_FOUND",
    });
    await ingest.shared.messaging.sender.send(eventMessage(userDeleted, { userId: 8 }));
    await eventually(async () =>
      expect([...(await ingest.files(as(8), 42)), ...(await ingest.files(as(8, 2), 43))]).toEqual(
        [],
      ),
    );
    await expect(ingest.drop(as(8), 45, "late.txt", "Late.")).rejects.toMatchObject({
      code: "THREAD_NOT_FOUND",
    });
    await ingest.deleteWorkspace(2);
    await eventually(async () => expect(await ingest.files(as(9, 2), 44)).toEqual([]));
    await expect(ingest.drop(as(9, 2), 44, "late.txt", "Late.")).rejects.toMatchObject({
      code: "WORKSPACE_NOT_FOUND",
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
      `INSERT INTO "ingest"."deleted_thread" ("thread_id", "deleted_at") VALUES (46, now() - interval '2 minutes')`,
    );
    await eventually(async () =>
      expect(
        await ingest.sql(`SELECT 1 FROM "ingest"."parsed_file" WHERE "id" = $1`, [late.id]),
      ).toEqual([]),
    );
    const referred = (
      await ingest.sql<{ key: string }>(
        `SELECT DISTINCT "blob_key" AS "key" FROM "ingest"."document" WHERE "blob_key" IS NOT NULL`,
      )
    ).map((row) => row.key);
    await eventually(async () => expect((await ingest.blobKeys()).sort()).toEqual(referred.sort()));
  });

  it("are limited in number and created once per request", async () => {
    await ingest.sql(`WITH "d" AS (INSERT INTO "ingest"."document" ("id", "docpath", "folder", "filename", "title", "url", "doc_author", "description", "doc_source", "chunk_source", "published", "mime", "bytes", "sha256", "state", "in_library")
      SELECT gen_random_uuid(), 'direct-uploads/' || n, 'direct-uploads', repeat('ü', 250), repeat('ü', 250), repeat('ü', 250), '', '', '', '', '', 'text/plain', 1, 'x', 'parsed', false FROM generate_series(1, 200) n RETURNING "id")
      INSERT INTO "ingest"."parsed_file" ("workspace_id", "thread_id", "user_id", "document_id") SELECT 1, 50, 3, "id" FROM "d"`);
    await expect(ingest.drop(as(3), 50, "more.txt", "One too many.")).rejects.toMatchObject({
      code: "BAD_INPUT",
    });
    expect(await ingest.files(as(3), 50)).toHaveLength(200);
    await ingest.sql(
      `DELETE FROM "ingest"."document" WHERE "id" IN (SELECT "document_id" FROM "ingest"."parsed_file" WHERE "thread_id" = 50)`,
    );
  });

  it("of single-user mode go to the first admin", async () => {
    const scope = workspaceScope(1);
    await ingest.drop(scope, 60, "mine.txt", "Of the instance.");
    await parsed(ingest, scope, 60, 1);
    await ingest.shared.messaging.sender.send(
      eventMessage(multiUserEnabled, { adminId: 70, at: new Date().toISOString() }),
    );
    await eventually(async () =>
      expect(await ingest.files(as(70, 1, "admin"), 60)).toHaveLength(1),
    );
    expect(await texts(as(70, 1, "admin"), 60)).toEqual(["Of the instance."]);
    expect(await ingest.files(scope, 60)).toEqual([]);
  });
});

describe("a file dropped during failures", () => {
  let ingest: TestIngest | undefined;
  afterEach(async () => {
    await ingest?.stop();
    ingest = undefined;
  });

  it("is parsed once by another replica if its process is killed", async () => {
    ingest = await startTestIngest({ elsewhere: true });
    const first = await ingest.startReplica();
    const long = Array.from(
      { length: 400_000 },
      (_, n) => `Line ${n} of a long log tells of event ${n * 7919} at the harbour.`,
    ).join("\n");
    const { documentId } = await ingest.drop(as(3), 10, "log.txt", long);
    await waitFor(
      async () =>
        (
          await ingest!.sql(
            `SELECT 1 FROM "ingest"."document" WHERE "id" = $1 AND "state" = 'parsing'`,
            [documentId],
          )
        )[0] ?? null,
      { intervalMs: 2, what: "the file to be at work" },
    );
    const second = ingest.startReplica();
    await first.kill();
    expect(
      await ingest.sql(
        `SELECT 1 FROM "ingest"."document" WHERE "id" = $1 AND "state" = 'parsing'`,
        [documentId],
      ),
    ).toHaveLength(1);
    await second;
    const [file] = await parsed(ingest, as(3), 10, 1);
    expect(file).toMatchObject({ state: "parsed", reason: null });
    const [stored] = await ingest.sql<{ length: number; parts: number }>(
      `SELECT sum("end" - "start")::int AS "length", count(*)::int AS "parts" FROM "ingest"."document_text" WHERE "document_id" = $1`,
      [documentId],
    );
    expect(stored!.length).toBe(long.length);
    expect(await ingest.sql(`SELECT 1 FROM "ingest"."parsed_file"`)).toHaveLength(1);
  });

  it("is not delayed by a bulk import into the library", async () => {
    ingest = await startTestIngest({ embedder: false });
    const book = Array.from(
      { length: 6_000 },
      (_, n) => `Paragraph ${n} of a book tells of item ${n * 31}.`,
    ).join("\n\n");
    await Promise.all(
      Array.from({ length: 80 }, (_, n) => ingest!.upload(1, `book-${n}.txt`, `${n}\n${book}`)),
    );
    await ingest.drop(as(3), 10, "question.txt", "Only this is asked about.");
    await parsed(ingest, as(3), 10, 1);
    const [open] = await ingest.sql<{ n: number }>(
      `SELECT count(*)::int AS "n" FROM "ingest"."document" WHERE "state" IN ('queued', 'parsing')`,
    );
    expect(open!.n).toBeGreaterThan(10);
  });

  it("is parsed even if Redis loses all data", async () => {
    ingest = await startTestIngest();
    const dropped = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        ingest!.drop(as(3), 10, `f${n}.txt`, `File ${n}. ${"Text. ".repeat(2_000)}`),
      ),
    );
    await ingest.shared.messaging.connections.commands.flushall();
    await ingest.restart();
    const files = await parsed(ingest, as(3), 10, dropped.length);
    expect(files.every((file) => file.state === "parsed")).toBe(true);
  });
});
