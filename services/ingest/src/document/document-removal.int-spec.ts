import {
  listDocumentCounts,
  listDocumentStatuses,
  removeAndUnembed,
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
} from "../../test/test-ingest.ts";

describe("a failed or removed document", () => {
  let ingest: TestIngest;
  beforeAll(async () => {
    ingest = await startTestIngest();
  });
  afterAll(async () => {
    await ingest?.stop();
  });

  it("fails with its reason, leaves no blob and no library entry, and can be dismissed", async () => {
    const blobs = (await ingest.blobKeys()).length;
    const id = await ingest.upload(1, "broken.pdf", "%PDF-1.4 this is no pdf");
    expect(await ingest.until(1, id, "failed")).toMatchObject({
      reason: { code: "file.damaged", params: { what: { code: "file-kind.pdf" } } },
    });
    const panel = await ingest.client.request(
      listDocumentStatuses,
      { slug: "w1", search: "broken" },
      { scope: workspaceScope(1) },
    );
    expect(panel).toMatchObject({
      total: 1,
      documents: [
        {
          documentId: id,
          state: "failed",
          reason: { code: "file.damaged", params: { what: { code: "file-kind.pdf" } } },
          hasOriginal: false,
        },
      ],
    });
    const { counts } = await ingest.client.request(listDocumentCounts, {}, { scope: libraryScope });
    expect(counts.find(({ workspaceId }) => workspaceId === 1)).toMatchObject({
      documents: 0,
      total: 1,
      failed: 1,
    });
    expect(
      (await ingest.tree()).flatMap((folder) => folder.items).map((file) => file.id),
    ).not.toContain(id);
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
        { slug: "w1", documentId: id },
        { scope: workspaceScope(1) },
      ),
    ).toEqual({ success: true });
    expect(await ingest.state1(null, id)).toBeNull();
    await poll(async () => (await ingest.blobKeys()).length).toBe(blobs);
  });

  it("disappears immediately when removed, and the same bytes can be uploaded again", async () => {
    const text = "The xylophone room is booked through the ballet office.";
    const first = await ingest.upload(1, "rooms.txt", text);
    await ingest.until(1, first, "embedded");
    const { docpath } = (await ingest.state1(1, first))!;
    await ingest.client.request(
      removeAndUnembed,
      { slug: "w1", documentLocation: docpath! },
      { scope: workspaceScope(1) },
    );
    expect(textsOf((await ingest.search(1, "xylophone room")).passages).join()).not.toContain(
      "xylophone",
    );
    const second = await ingest.upload(1, "rooms.txt", text);
    expect(second).not.toBe(first);
    await ingest.until(1, second, "embedded");
    await poll(() => ingest.sql("SELECT 1 FROM ingest.document WHERE id = $1", [first])).toEqual(
      [],
    );
    const { passages } = await ingest.search(1, "xylophone room");
    expect(
      passages
        .filter((passage) => passage.text.includes("xylophone"))
        .map((passage) => passage.documentId),
    ).toEqual([second]);
    expect(
      await ingest.blobs.stat(
        (
          await ingest.sql<{ blob_key: string }>(
            "SELECT blob_key FROM ingest.document WHERE id = $1",
            [second],
          )
        )[0]!.blob_key,
      ),
    ).not.toBeNull();
    await expect(
      ingest.client.request(
        removeAndUnembed,
        { slug: "w1", documentLocation: docpath! },
        { scope: workspaceScope(1) },
      ),
    ).rejects.toMatchObject({ kind: "DOCUMENT_NOT_FOUND" });
  });

  it("shares one original with documents of the same bytes until the last one is removed", async () => {
    const text = "Seven identical copies of the marmalade recipe were filed.";
    const ids = await Promise.all(
      Array.from({ length: 6 }, (_, i) => ingest.upload(1, `copy-${i}.txt`, text)),
    );
    // Removed while some are still being processed, and uploaded again at the same time.
    const removing = ids
      .slice(0, 3)
      .map((documentId) =>
        ingest.client.request(
          removeWorkspaceDocument,
          { slug: "w1", documentId },
          { scope: workspaceScope(1) },
        ),
      );
    const again = await ingest.upload(1, "copy-again.txt", text);
    await Promise.all(removing);
    const left = [...ids.slice(3), again];
    for (const id of left) await ingest.until(1, id, "embedded");
    const { passages } = await ingest.search(1, "marmalade recipe", { topN: 20, mode: "text" });
    // The same text is shown once, no matter whose copy it is.
    expect(passages.map((passage) => left.includes(passage.documentId))).toEqual([true]);
    const [{ blob_key: key } = { blob_key: "" }] = await ingest.sql<{ blob_key: string }>(
      "SELECT blob_key FROM ingest.document WHERE id = $1",
      [again],
    );
    await poll(() =>
      ingest.sql("SELECT 1 FROM ingest.blob_garbage WHERE blob_key = $1", [key]),
    ).toEqual([]);
    expect(await ingest.blobs.stat(key)).not.toBeNull();
    for (const documentId of left)
      await ingest.client.request(
        removeWorkspaceDocument,
        { slug: "w1", documentId },
        { scope: workspaceScope(1) },
      );
    await poll(() => ingest.blobs.stat(key)).toBeNull();
  });

  it("loses a deleted workspace's documents, keeps the library, and confirms", async () => {
    const id = await ingest.upload(
      2,
      "plans.txt",
      "The launch of the lighthouse project is in October.",
    );
    await ingest.until(2, id, "embedded");
    await ingest.deleteWorkspace(2);
    await poll(() => ingest.state.confirmed).toContain(2);
    expect(
      await ingest.sql("SELECT 1 FROM ingest.workspace_document WHERE workspace_id = 2"),
    ).toEqual([]);
    expect(await ingest.state1(null, id)).toMatchObject({ state: "parsed" });
    await expect(ingest.upload(2, "late.txt", "late")).rejects.toMatchObject({
      kind: "WORKSPACE_NOT_FOUND",
    });
  });
});
