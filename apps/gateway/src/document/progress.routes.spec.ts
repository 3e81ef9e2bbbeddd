import type { WorkspaceDocumentStatus } from "@carrel/contracts";
import { describe, expect, it } from "@jest/globals";
import { forReader, ProgressFrames } from "./progress.routes.ts";

const status = (
  documentId: string,
  state: WorkspaceDocumentStatus["state"],
  more: Partial<WorkspaceDocumentStatus> = {},
): WorkspaceDocumentStatus => ({
  documentId,
  docpath: `custom-documents/${documentId}.json`,
  title: documentId,
  state,
  reason: null,
  progress: 0,
  chunksDone: 0,
  chunksTotal: 0,
  bytes: 1,
  pages: null,
  wordCount: 1,
  mime: "text/plain",
  addedAt: "2026-11-21T00:00:00.000Z",
  hasOriginal: true,
  ...more,
});

describe("ProgressFrames", () => {
  it("reports a batch from first to last document, each once", () => {
    const frames = new ProgressFrames({ workspaceSlug: "w", userId: null });
    const sent = [
      status("a", "queued"),
      status("b", "queued"),
      status("a", "indexing", { chunksDone: 5, chunksTotal: 10 }),
      status("a", "searchable"),
      status("a", "embedding"),
      status("b", "failed", { reason: "No text content found in b." }),
      status("a", "embedded"),
    ].flatMap((document) => frames.read(document));
    expect(sent.map((frame) => frame.type)).toEqual([
      "batch_starting",
      "doc_starting",
      "doc_starting",
      "chunk_progress",
      "doc_complete",
      "doc_failed",
      "all_complete",
    ]);
    expect(sent[3]).toEqual({
      type: "chunk_progress",
      workspaceSlug: "w",
      userId: null,
      filename: "custom-documents/a.json",
      chunksProcessed: 5,
      totalChunks: 10,
    });
    expect(sent[4]).toEqual({
      type: "doc_complete",
      workspaceSlug: "w",
      userId: null,
      filename: "custom-documents/a.json",
      docIndex: 0,
      totalDocs: 2,
    });
    expect(sent[5]).toMatchObject({ error: "No text content found in b.", docIndex: 1 });
    expect(sent[6]).toEqual({
      type: "all_complete",
      workspaceSlug: "w",
      userId: null,
      totalDocs: 2,
      embedded: 1,
      failed: 1,
    });
  });

  it("reports a document removed while queued, and ends the batch if it was the last", () => {
    const frames = new ProgressFrames({ workspaceSlug: "w", userId: null });
    for (const document of [
      status("a", "searchable"),
      status("a", "queued"),
      status("b", "queued"),
      status("a", "searchable"),
    ])
      frames.read(document);
    expect(frames.leave("c")).toEqual([]);
    expect(frames.leave("a")).toEqual([]);
    expect(frames.leave("b")).toEqual([
      { type: "file_removed", workspaceSlug: "w", filename: "custom-documents/b.json" },
      {
        type: "all_complete",
        workspaceSlug: "w",
        userId: null,
        totalDocs: 1,
        embedded: 1,
        failed: 0,
      },
    ]);
  });
});

describe("a restricted document's progress", () => {
  const document = status("a", "searchable");
  const frame = { type: "document_state", document, onlyFor: 7 } as const;
  const unowned = { ...frame, onlyFor: null };

  it.each([
    ["user", 7],
    ["extension", 7],
    ["instance", null],
  ] as const)("is shown to its importer (a %s), without saying whose it is", (kind, userId) => {
    expect(forReader(frame, { kind, userId })).toEqual({ type: "document_state", document });
  });

  it.each([
    ["user", 8],
    ["key", 7],
    ["key", null],
    ["widget", null],
    ["user", null],
  ] as const)("isn't shown to others (a %s with user %p)", (kind, userId) => {
    expect(forReader(frame, { kind, userId })).toBeNull();
    expect(forReader(unowned, { kind, userId })).toBeNull();
  });
});
