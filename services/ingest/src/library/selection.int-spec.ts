import {
  addDocuments,
  changeSelection,
  embedAgain,
  findLocalFiles,
  leaveEmbedQueue,
  libraryChanged,
  listDocumentStatuses,
  listFolders,
  pinDocuments,
  purgeDocuments,
  removeDocument,
  removeDocuments,
  removeFolder,
  reparseDocuments,
  removeWorkspaceDocuments,
} from "@carrel/contracts";
import { poll } from "@carrel/testing";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { LibraryClient } from "../../test/library-client.ts";
import { startTestIngest, type TestIngest } from "../../test/test-ingest.ts";

describe("changes of many documents", () => {
  let ingest: TestIngest;
  let library: LibraryClient;

  beforeAll(async () => {
    ingest = await startTestIngest();
    library = new LibraryClient(ingest);
  });
  afterAll(async () => {
    await ingest?.stop();
  });

  it("adds, pins, re-embeds and removes the documents that a filter finds in the workspace", async () => {
    const ids = await Promise.all(
      ["alpha", "beta", "gamma"].map((name) =>
        library.add(`${name}.txt`, `The ${name} particle decays slowly.`, { folder: "Physics" }),
      ),
    );
    const selection = { filter: { folder: "Physics", deep: true } };
    expect(
      await library.requestIn(2, addDocuments, {
        slug: "w2",
        selection: { filter: { ...selection.filter, missingIn: "w2" } },
      }),
    ).toEqual({ affected: 3, skipped: 0 });
    for (const id of ids) await ingest.until(2, id, "embedded");
    expect(
      await library.requestIn(2, addDocuments, { slug: "w2", selection: { documentIds: ids } }),
    ).toMatchObject({
      affected: 0,
      skipped: 3,
    });
    // The selection never reaches another workspace's documents.
    expect(
      await library.requestIn(1, pinDocuments, { slug: "w1", selection, pinned: true }),
    ).toEqual({
      affected: 0,
      skipped: 0,
    });
    expect(
      await library.requestIn(2, pinDocuments, { slug: "w2", selection, pinned: true }),
    ).toMatchObject({ affected: 3 });
    expect(
      (await library.requestIn(2, listDocumentStatuses, { slug: "w2", state: "pinned" })).total,
    ).toBe(3);
    expect(
      await library.requestIn(2, embedAgain, { slug: "w2", selection: { documentIds: [ids[0]!] } }),
    ).toMatchObject({ affected: 1 });
    expect(
      (await ingest.search(2, "Which alpha particle decays?")).passages.map(
        (passage) => passage.documentId,
      ),
    ).toContain(ids[0]);
    await ingest.until(2, ids[0]!, "embedded");
    expect(
      await library.requestIn(2, removeWorkspaceDocuments, {
        slug: "w2",
        selection: { filter: { search: "alpha" } },
      }),
    ).toMatchObject({ affected: 1, skipped: 0 });
    expect(
      (await ingest.search(2, "Which alpha particle decays?")).passages.map(
        (passage) => passage.documentId,
      ),
    ).not.toContain(ids[0]);
    expect(await ingest.state1(2, ids[0]!)).toBeNull();
    expect(await ingest.state1(null, ids[0]!)).toMatchObject({ state: "parsed" });
  });

  it("purges immediately from the library, workspaces and search", async () => {
    const id = await ingest.upload(1, "secret.txt", "The zanzibar protocol is confidential.", {
      folder: "Secret/Deep",
    });
    await ingest.until(1, id, "embedded");
    const location = await library.docpathOf(id);
    expect(
      await library.request(purgeDocuments, {
        selection: { filter: { folder: "Secret", deep: true } },
      }),
    ).toEqual({ affected: 1, skipped: 0 });
    expect((await ingest.search(1, "zanzibar protocol")).passages).toEqual([]);
    expect(await library.page({ search: "secret" })).toEqual({
      documents: [],
      total: 0,
      nextCursor: null,
    });
    expect((await library.request(findLocalFiles, { docpaths: [location] })).documents).toEqual([]);
    expect(ingest.frames).toContainEqual({
      type: "document_removed",
      documentId: id,
      docpath: null,
    });
    await poll(() =>
      ingest.sql(
        `SELECT 1 FROM ingest.chunk c
          WHERE NOT EXISTS (
            SELECT 1 FROM ingest.workspace_document w WHERE w.id = c.workspace_document_id
          )`,
      ),
    ).toEqual([]);
    expect(await library.request(purgeDocuments, { selection: { documentIds: [id] } })).toEqual({
      affected: 0,
      skipped: 1,
    });
  });

  it("removes by docpath and folder as on the wire, ignoring unknown names and the uploads folder", async () => {
    const [one, two, three] = [
      await library.add("one.txt", "One.", { folder: "Gone" }),
      await library.add("two.txt", "Two.", { folder: "Gone/Below" }),
      await library.add("three.txt", "Three."),
    ];
    await library.add("kept.txt", "Kept.");
    await library.request(removeDocument, { name: await library.docpathOf(three) });
    await library.request(removeDocument, { name: "no/such.json" });
    await library.request(removeDocuments, { names: ["no/such.json", "../../etc/passwd"] });
    await library.request(removeFolder, { name: "custom-documents" });
    await library.request(removeFolder, { name: "No such" });
    await library.request(removeFolder, { name: "Gone" });
    for (const id of [one, two, three]) expect(await ingest.state1(null, id)).toBeNull();
    expect((await library.page({ folder: "custom-documents" })).total).toBeGreaterThan(0);
    expect(
      (await library.request(listFolders, {})).folders.some((folder) =>
        folder.name.startsWith("Gone"),
      ),
    ).toBe(false);
  });

  it("removes only waiting documents from the queue", async () => {
    const id = await library.add("waits.txt", "It waits.");
    await ingest.sql(
      `INSERT INTO ingest.workspace_document (workspace_id, document_id, state, last_updated_at)
      VALUES (1, $1, 'queued', now() + interval '1 hour')`,
      [id],
    );
    expect(
      await library.requestIn(1, leaveEmbedQueue, {
        slug: "w1",
        filename: await library.docpathOf(id),
      }),
    ).toEqual({ success: true });
    expect(await ingest.state1(1, id)).toBeNull();
    expect(
      await library.requestIn(1, leaveEmbedQueue, {
        slug: "w1",
        filename: await library.docpathOf(id),
      }),
    ).toEqual({ success: false });
    await expect(library.requestIn(1, leaveEmbedQueue, { slug: "w1" })).rejects.toMatchObject({
      kind: "BAD_INPUT",
      message: "Missing filename",
    });
  });

  it("re-reads failed documents whose originals are kept", async () => {
    const id = await library.add("again.txt", "It can be read.");
    await ingest.sql(
      `UPDATE ingest.document SET state = 'failed', reason = '{"code":"file.parsing-failed"}' WHERE id = $1`,
      [id],
    );
    const broken = await library.add("broken-again.pdf", "%PDF-1.4 no");
    expect(
      await library.request(reparseDocuments, { selection: { documentIds: [id, broken] } }),
    ).toMatchObject({ affected: 1, skipped: 1 });
    await ingest.until(null, id, "parsed");
  });

  it("resumes a change whose process was killed and changes only the selected documents", async () => {
    await ingest.sql(`INSERT INTO ingest.document (
        id, docpath, folder, filename, title, url, doc_author, description, doc_source,
        chunk_source, published, mime, bytes, sha256, state
      )
      SELECT gen_random_uuid(), 'Bulk/' || n || '.json', 'Bulk', n || '.txt', n || '.txt', '', '',
        '', '', '', '', 'text/plain', 1, '', 'parsed'
      FROM generate_series(1, 1200) n`);
    const notices: unknown[] = [];
    const stop = ingest.shared.messaging.broadcast.on(`event:${libraryChanged.name}`, (payload) =>
      notices.push(payload),
    );
    // A change left behind by a process that died right after recording it.
    const [{ n } = { n: 0 }] = await ingest.sql<{
      n: number;
    }>(`WITH change AS (
        INSERT INTO ingest.library_change (id, change, lease_until)
        VALUES (
          '11111111-1111-4111-8111-111111111111', '{"kind":"move","folder":"Bulk moved"}',
          now() - interval '1 second'
        )
      ),
      noted AS (
        INSERT INTO ingest.library_change_item
        SELECT '11111111-1111-4111-8111-111111111111', id
        FROM ingest.document
        WHERE folder = 'Bulk' AND docpath < 'Bulk/9'
        RETURNING 1
      )
      SELECT count(*)::int AS n FROM noted`);
    await poll(async () => (await library.page({ folder: "Bulk moved" })).total, {
      timeoutMs: 60_000,
    }).toBe(n);
    expect((await library.page({ folder: "Bulk" })).total).toBe(1200 - n);
    await poll(() => ingest.sql(`SELECT 1 FROM ingest.library_change`)).toEqual([]);
    await poll(() => notices.length).toBeGreaterThan(0);
    stop();
    expect(changeSelection.name).toBe("library.change");
    expect(
      await library.request(purgeDocuments, {
        selection: { filter: { search: "txt", folder: "Bulk moved" } },
      }),
    ).toMatchObject({ affected: n });
    await poll(async () => (await library.page({ folder: "Bulk moved" })).total, {
      timeoutMs: 60_000,
    }).toBe(0);
  });
});
