import { Readable } from "node:stream";
import { registerDocument, removeAndUnembed, renderReason } from "@carrel/contracts";
import { putContent } from "@carrel/storage";
import { poll } from "@carrel/testing";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { hostileNames } from "../../test/fixtures/broken-files.ts";
import { makeWorkbook } from "../../test/fixtures/make-office.ts";
import { startTestIngest, workspaceScope, type TestIngest } from "../../test/test-ingest.ts";

describe("registering an upload", () => {
  let ingest: TestIngest;
  beforeAll(async () => {
    ingest = await startTestIngest({ embedder: false, reconcileMs: 600_000 });
  });
  afterAll(async () => {
    await ingest?.stop();
  });

  it("creates one document per request, and repeats its result even when the original is gone", async () => {
    const { key, sha256, bytes } = await putContent(ingest.blobs, Readable.from(["A text."]), 100);
    const register = () =>
      ingest.client.request(
        registerDocument,
        { blobKey: key, sha256, bytes, filename: "text.txt", mime: null, embed: true },
        { scope: workspaceScope(1), idempotencyKey: "upload-1" },
      );
    const [first, second] = await Promise.all([register(), register()]);
    expect(second).toEqual(first);
    await ingest.until(1, first.documentId, "searchable");
    await ingest.blobs.delete(key);
    expect(await register()).toEqual(first);
    const documents = await ingest.sql<{ id: string }>(`SELECT id FROM ingest.document`);
    expect(documents).toEqual([{ id: first.documentId }]);
  });

  it("parses an upload without a job while there are free places", async () => {
    const { commands } = ingest.shared.messaging.connections;
    const addedJobs = () => commands.xlen("carrel:ingest-parse:events");
    const before = await addedJobs();
    const id = await ingest.upload(1, "direct.txt", "The ferry leaves at noon.");
    await ingest.until(1, id, "searchable");
    expect(await addedJobs()).toBe(before);
    expect(await ingest.sql(`SELECT 1 FROM ingest.outbox WHERE kind = 'job'`)).toEqual([]);
  });

  it("takes over an upload when the process that worked on it has died", async () => {
    const id = await ingest.upload(1, "orphan.txt", "The pilot boards at the outer buoy.");
    await ingest.until(1, id, "searchable");
    // Left like this by a registration whose process died.
    await ingest.sql(
      `UPDATE ingest.workspace_document SET state = 'queued', version = 2,
        last_updated_at = now() + interval '1 hour'
      WHERE document_id = $1`,
      [id],
    );
    await ingest.sql(
      `UPDATE ingest.document SET state = 'parsing', run = run + 1,
        lease_until = now() - interval '1 second'
      WHERE id = $1`,
      [id],
    );
    await ingest.until(1, id, "searchable");
    const [row] = await ingest.sql<{ state: string; n: number }>(
      `SELECT d.state,
        (
          SELECT count(*)::int FROM ingest.chunk c
          JOIN ingest.workspace_document w ON w.id = c.workspace_document_id
          WHERE w.document_id = d.id
        ) AS n
      FROM ingest.document d
      WHERE d.id = $1`,
      [id],
    );
    expect(row).toEqual({ state: "parsed", n: 1 });
  });

  it("describes the source by the extension until parsing finds out more", async () => {
    const sourceOf = async (name: string, docSource?: string) => {
      const id = await ingest.upload(1, name, `# A note in ${name}`, { metadata: { docSource } });
      await ingest.until(1, id, "searchable");
      const [row] = await ingest.sql<{ doc_source: string }>(
        `SELECT doc_source FROM ingest.document WHERE id = $1`,
        [id],
      );
      return row!.doc_source;
    };
    expect(await sourceOf("note.md")).toBe("a markdown file uploaded by the user.");
    expect(await sourceOf("note.py")).toBe("a Python source code file uploaded by the user.");
    expect(await sourceOf("note.txt", "a diary")).toBe("a diary");
  });

  it("refuses a file that is already there if the client asks for it", async () => {
    const upload = (workspaceId: number | null, content: string, refuseIdentical = true) =>
      ingest.upload(workspaceId, "twice.txt", content, { refuseIdentical, folder: "twice" });
    const refused = "The same file is already in the library, as twice.txt.";
    await upload(null, "The lock keeper sleeps.");
    await expect(upload(null, "The lock keeper sleeps.")).rejects.toThrow(refused);
    await upload(null, "The lock keeper wakes.");
    // Existing clients may add it again.
    await upload(null, "The lock keeper sleeps.", false);
    await upload(1, "The lock keeper sleeps.");
    await expect(upload(1, "The lock keeper sleeps.")).rejects.toThrow(refused);
    const stored = await ingest.sql(`SELECT id FROM ingest.document WHERE folder = 'twice'`);
    expect(stored).toHaveLength(4);
  });

  it("refuses it also when it is uploaded several times at once", async () => {
    for (const workspaceId of [null, 1])
      for (let round = 0; round < 4; round++) {
        const upload = () =>
          ingest.upload(workspaceId, "at-once.txt", `Bell ${workspaceId} rings ${round} times.`, {
            refuseIdentical: true,
            folder: "at once",
          });
        const results = await Promise.allSettled([upload(), upload(), upload()]);
        expect(results.map(({ status }) => status).sort()).toEqual([
          "fulfilled",
          "rejected",
          "rejected",
        ]);
      }
  });

  it.each([null, 1])(
    "refuses a spreadsheet while all of its sheets are there, in workspace %s",
    async (workspaceId) => {
      const book = await makeWorkbook(
        { Budget: [["Rent", `${workspaceId}`]], Staff: [["Ada", "B12"]] },
        "xlsx",
      );
      const upload = () => ingest.upload(workspaceId, "plan.xlsx", book, { refuseIdentical: true });
      const refused = "The same file is already in the library, as plan.xlsx.";
      const id = await upload();
      await expect(upload()).rejects.toThrow(refused);
      const { docpath } = await ingest.until(
        workspaceId,
        id,
        workspaceId === null ? "parsed" : "searchable",
      );
      await expect(upload()).rejects.toThrow(refused);
      await ingest.client.request(
        removeAndUnembed,
        { slug: "w1", documentLocation: docpath! },
        { scope: workspaceScope(1) },
      );
      await upload();
    },
  );

  it("adds nothing to a workspace whose deletion it waited for", async () => {
    const id = await ingest.upload(null, "late.txt", "The last tram is late.");
    const { docpath } = await ingest.until(null, id, "parsed");
    const deletion = ingest.source.createQueryRunner();
    await deletion.startTransaction();
    await deletion.query(`SELECT pg_advisory_xact_lock(7301, 2)`);
    const additions = Promise.allSettled([
      ingest.upload(2, "too-late.txt", "The tram is gone."),
      ingest.change(2, [docpath!]),
    ]);
    await poll(
      async () =>
        (await ingest.sql(`SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted`))
          .length,
    ).toBe(2);
    await deletion.query(`INSERT INTO ingest.deleted_workspace (workspace_id) VALUES (2)`);
    await deletion.commitTransaction();
    await deletion.release();
    for (const addition of await additions)
      expect(addition).toMatchObject({ reason: { kind: "WORKSPACE_NOT_FOUND" } });
    expect(
      await ingest.sql(`SELECT 1 FROM ingest.workspace_document WHERE workspace_id = 2`),
    ).toEqual([]);
  });

  it("treats names with paths, NUL, bidirectional marks or 255 letters as plain names", async () => {
    for (const [i, [given, kept]] of hostileNames.entries()) {
      const id = await ingest.upload(
        null,
        given,
        `${i} `.repeat(2) + "\u0000\u0001\u0002".repeat(50),
      );
      const { reason } = await ingest.until(null, id, "failed");
      const [row] = await ingest.sql<{ filename: string; docpath: string }>(
        `SELECT filename, docpath FROM ingest.document WHERE id = $1`,
        [id],
      );
      expect(row!.filename).toBe(kept);
      expect(row!.docpath).toMatch(/^custom-documents\/[^/\\\p{C}]+\.json$/u);
      expect(renderReason(reason!)).toMatch(
        /^File extension (\.txt|\(none\)) not supported for parsing/,
      );
    }
  });
});
