import {
  deleteParsedFiles,
  findParsedFiles,
  getDocumentText,
  listContextTexts,
  promoteParsedFile,
  removeAndUnembed,
  threadDeleted,
  type WorkspaceScope,
} from "@carrel/contracts";
import { eventMessage } from "@carrel/messaging";
import { poll } from "@carrel/testing";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { as, parsed } from "../../test/chat-files.ts";
import {
  startTestIngest,
  textsOf,
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
    for (const [scope, hasFiles] of [
      [as(3), true],
      [as(4), false],
      [workspaceScope(1), false],
    ] as const)
      expect(await ingest.documents(scope)).toEqual({ documents: [], next: null, hasFiles });
    expect((await ingest.search(1, "marmot")).passages).toEqual([]);
    expect(await ingest.change(1, [file!.location])).toMatchObject({ added: [] });
    await expect(
      ingest.client.request(
        removeAndUnembed,
        { slug: "w1", documentLocation: file!.location },
        { scope: workspaceScope(1) },
      ),
    ).rejects.toMatchObject({ kind: "DOCUMENT_NOT_FOUND" });
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
      ).rejects.toMatchObject({ kind: "DOCUMENT_NOT_FOUND" });
      await expect(
        ingest.client.request(promoteParsedFile, { id: file!.id }, { scope }),
      ).rejects.toMatchObject({ kind: "DOCUMENT_NOT_FOUND" });
      await expect(
        ingest.client.request(
          getDocumentText,
          { slug: "w", documentId: file!.documentId },
          { scope },
        ),
      ).rejects.toMatchObject({ kind: "DOCUMENT_NOT_FOUND" });
    }
    expect(await ingest.files(as(3), 11)).toEqual([]);
    await expect(
      ingest.client.request(deleteParsedFiles, { slug: "w1", fileIds: [] }, { scope: as(3) }),
    ).rejects.toMatchObject({ kind: "BAD_INPUT" });
    expect(await ingest.files(as(3), 10)).toHaveLength(2);
  });

  it("report why parsing failed and can be deleted", async () => {
    await ingest.drop(as(5), 20, "broken.pdf", "%PDF-1.4 this is no pdf");
    const [file] = await parsed(ingest, as(5), 20, 1);
    expect(file).toMatchObject({
      state: "failed",
      reason: { code: "file.damaged", params: { what: { code: "file-kind.pdf" } } },
    });
    expect(await texts(as(5), 20)).toEqual([]);
    await ingest.sql(
      `UPDATE ingest.document SET updated_at = now() - interval '11 minutes' WHERE id = $1`,
      [file!.documentId],
    );
    await poll(() => ingest.files(as(5), 20)).toEqual([]);
  });

  it("become workspace documents without another upload", async () => {
    const blobs = await ingest.blobKeys();
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
      { kind: "DOCUMENT_NOT_FOUND" },
    );
    await ingest.until(1, documentId, "embedded");
    expect(await ingest.files(scope, 30)).toEqual([]);
    expect(
      textsOf((await ingest.search(1, "When does the quince tree bear fruit?")).passages)[0],
    ).toContain("October");
    const { documents } = await ingest.documents(scope, [documentId]);
    expect(documents).toEqual([
      expect.objectContaining({
        docId: documentId,
        docpath: `custom-documents/orchard.md-${documentId}.json`,
      }),
    ]);
    expect(
      (await ingest.tree()).flatMap((folder) => folder.items).map((file) => file.id),
    ).toContain(documentId);
    expect((await ingest.blobKeys()).filter((key) => !blobs.includes(key))).toHaveLength(1);
    // The document outlives its thread, because it now belongs to the workspace.
    await ingest.shared.messaging.sender.send(
      eventMessage(threadDeleted, { workspaceId: 1, threadIds: [30] }),
    );
    await poll(() =>
      ingest.sql(`SELECT 1 FROM ingest.deleted_thread WHERE thread_id = 30`),
    ).toHaveLength(1);
    expect((await ingest.search(1, "quince tree")).passages.length).toBeGreaterThan(0);
  });

  it("that cannot be read are refused as documents and deleted", async () => {
    const { id } = await ingest.drop(as(6), 31, "broken.xml", "<list>\n<a>1</b></list>");
    await parsed(ingest, as(6), 31, 1);
    await expect(
      ingest.client.request(promoteParsedFile, { id }, { scope: as(6, 1, "manager") }),
    ).rejects.toMatchObject({
      kind: "DOCUMENT_UNREADABLE",
      message: expect.stringContaining("XML"),
    });
    expect(await ingest.files(as(6), 31)).toEqual([]);
  });
});
