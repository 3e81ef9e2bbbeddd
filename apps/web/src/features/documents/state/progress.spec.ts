import type { WorkspaceDocumentStatus } from "@carrel/contracts";
import { describe, expect, it } from "@jest/globals";
import { applyProgress } from "./progress.ts";

const document = (
  id: string,
  state: WorkspaceDocumentStatus["state"] = "queued",
): WorkspaceDocumentStatus => ({
  documentId: id,
  docpath: null,
  title: id,
  state,
  reason: null,
  progress: 0,
  chunksDone: 0,
  chunksTotal: 0,
  bytes: 1,
  pages: null,
  wordCount: 1,
  mime: "text/plain",
  addedAt: "",
  hasOriginal: true,
});
const page = {
  documents: [{ ...document("a"), pinned: true }, document("b")],
  total: 2,
  passages: 9,
};
const frames = (...documents: WorkspaceDocumentStatus[]) =>
  new Map(documents.map((each) => [each.documentId, each]));

describe("applyProgress", () => {
  it("updates the affected rows and keeps fields the frame leaves out", () => {
    const seen = new Set<string>();
    const next = applyProgress(page, frames(document("a", "embedded"), document("c")), seen);
    expect(next.documents.map((each) => [each.state, each.pinned])).toEqual([
      ["embedded", true],
      ["queued", undefined],
    ]);
    expect([...seen]).toEqual(["a"]);
    expect(next.documents[1]).toBe(page.documents[1]);
  });
  it("returns an unaffected page unchanged", () =>
    expect(applyProgress(page, frames(document("c")), new Set())).toBe(page));
});
