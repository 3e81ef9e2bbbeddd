import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { registerDocument } from "@carrel/contracts";
import { putContent } from "@carrel/storage";
import { Readable } from "node:stream";
import { startTestIngest, workspaceScope, type TestIngest } from "../../test/test-ingest.ts";

describe("registering an upload", () => {
  let ingest: TestIngest;
  beforeAll(async () => {
    ingest = await startTestIngest({ embedder: false });
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
});
