import {
  getDocumentText,
  listWatchedIds,
  liveSyncLabel,
  servicePrincipal,
  updateWatchStatus,
} from "@carrel/contracts";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { startTestIngest, workspaceScope, type TestIngest } from "../../test/test-ingest.ts";

const pageSource = "link://https://page.example/";
let ingest: TestIngest;
let link: { id: string; docpath: string };
let file: { id: string; docpath: string };
const add = async (
  filename: string,
  more: object = {},
): Promise<{ id: string; docpath: string }> => {
  const id = await ingest.upload(1, filename, `Text of ${filename}.`, more);
  return {
    id,
    docpath: (await ingest.until(1, id, "searchable", "embedding", "embedded")).docpath!,
  };
};
beforeAll(async () => {
  ingest = await startTestIngest();
  link = await add("page.html", {
    metadata: { title: "page.html", chunkSource: pageSource },
  });
  file = await add("file.txt");
  await ingest.change(2, [link.docpath]);
  await ingest.until(2, link.id, "searchable", "embedding", "embedded");
});
afterAll(async () => {
  await ingest?.stop();
});

const watch = (workspaceId: number, docPath: string, watchStatus: boolean) =>
  ingest.client.request(
    updateWatchStatus,
    { slug: `w${workspaceId}`, docPath, watchStatus },
    { scope: workspaceScope(workspaceId) },
  );
const watched = async (workspaceId: number): Promise<Record<string, boolean>> =>
  Object.fromEntries(
    (await ingest.documents(workspaceScope(workspaceId))).documents.map((document) => [
      document.docpath,
      document.watched,
    ]),
  );

describe("watching a document", () => {
  it("is refused while live sync is off, even for unknown documents", async () => {
    for (const docpath of [link.docpath, file.docpath, "custom-documents/nothing.json"])
      await expect(watch(1, docpath, true)).rejects.toMatchObject({ kind: "FORBIDDEN" });
    expect(await watched(1)).toEqual({ [link.docpath]: false, [file.docpath]: false });
  });

  it("is refused for uploads, whatever they say about where they come from", async () => {
    await ingest.changeSettings({ ...ingest.withEmbedder, [liveSyncLabel]: "true" });
    const metadata = { title: "own.html", chunkSource: pageSource };
    const own = await add("own.html", { metadata, isUpload: true });
    await expect(watch(1, own.docpath, true)).rejects.toMatchObject({ kind: "UNSUPPORTED" });
    expect((await watched(1))[own.docpath]).toBe(false);
    const addressOf = async (documentId: string) => {
      const scope = workspaceScope(1);
      return (await ingest.client.request(getDocumentText, { slug: "w1", documentId }, { scope }))
        .sourceUrl;
    };
    expect([await addressOf(link.id), await addressOf(own.id)]).toEqual([
      "https://page.example/",
      undefined,
    ]);
    await ingest.change(1, [], [own.docpath]);
  });

  it("applies to every workspace with the document, but only for documents of this workspace that have a source", async () => {
    await ingest.changeSettings({ ...ingest.withEmbedder, [liveSyncLabel]: "true" });
    await watch(1, link.docpath, true);
    expect(await watched(1)).toEqual({ [link.docpath]: true, [file.docpath]: false });
    expect(await watched(2)).toEqual({ [link.docpath]: true });
    const listIds = (after: string | null) =>
      ingest.client.request(
        listWatchedIds,
        { after, limit: 1 },
        { scope: { principal: servicePrincipal, workspace: null } },
      );
    expect(await listIds(null)).toEqual({ documentIds: [link.id] });
    expect(await listIds(link.id)).toEqual({ documentIds: [] });
    await expect(watch(1, file.docpath, true)).rejects.toMatchObject({ kind: "UNSUPPORTED" });
    for (const docpath of [file.docpath, "custom-documents/nothing.json", ""])
      await expect(watch(2, docpath, true)).rejects.toMatchObject({ kind: "DOCUMENT_NOT_FOUND" });
    await watch(1, file.docpath, false);
    await watch(2, link.docpath, false);
    expect(await watched(1)).toEqual({ [link.docpath]: false, [file.docpath]: false });
    expect(await watched(2)).toEqual({ [link.docpath]: false });
  });
});
