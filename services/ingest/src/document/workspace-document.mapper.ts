import type { DocumentState, WorkspaceDocumentStatus } from "@carrel/contracts";
import { defaultFolder } from "./docpath.ts";
import type { Document } from "./document.entity.ts";
import type { WorkspaceDocument } from "./workspace-document.entity.ts";

/**
 * A document's state in one workspace, where pending parsing takes precedence; without a workspace,
 * the state of parsing.
 */
export function stateOf(
  d: Pick<Document, "state">,
  w: Pick<WorkspaceDocument, "state"> | null,
): DocumentState {
  if (w === null) return d.state;
  return w.state === "queued" && d.state !== "failed" && d.state !== "parsed" ? d.state : w.state;
}

/** Folders of workbooks and archives end with the start of the upload's id. */
export function labelFolder({
  id,
  uploadId,
  folder,
  filename,
}: Pick<Document, "id" | "uploadId" | "folder" | "filename">): string | null {
  if (folder === defaultFolder) return null;
  const suffix = `-${(uploadId ?? id).slice(0, 8)}`;
  return folder
    .split("/")
    .map((name) => (name.endsWith(suffix) ? filename : name))
    .join("/");
}

export function mapStatus(d: Document, w: WorkspaceDocument | null): WorkspaceDocumentStatus {
  const state = stateOf(d, w);
  const [done, total] = [w?.chunksDone ?? 0, w?.chunkCount ?? 0];
  const ended =
    state === "parsed" || state === "searchable" || state === "embedded" || state === "failed";
  return {
    documentId: d.id,
    docpath: d.docpath,
    title: d.title,
    state,
    reason: w?.reason ?? d.reason,
    progress: ended
      ? 1
      : total > 0 && (state === "indexing" || state === "embedding")
        ? Math.min(1, done / total)
        : 0,
    chunksDone: done,
    chunksTotal: total,
    bytes: d.bytes,
    pages: d.pages,
    wordCount: d.wordCount,
    mime: d.mime,
    addedAt: (w?.createdAt ?? d.createdAt).toISOString(),
    hasOriginal: d.blobKey !== null,
    pinned: w?.pinned ?? false,
    watched: w?.watched ?? false,
    kind: d.kind,
    folder: d.folder,
    folderLabel: labelFolder(d),
    tags: d.tags,
    ...(d.notes && d.notes.length > 0 && { notes: d.notes }),
  };
}
