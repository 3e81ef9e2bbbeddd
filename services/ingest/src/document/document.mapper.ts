import {
  isWatchable,
  readChunkSource,
  type DocumentState,
  type FileItem,
  type WorkspaceDocumentStatus,
} from "@carrel/contracts";
import { defaultFolder } from "./docpath.ts";
import type { Document } from "./document.entity.ts";
import type { WorkspaceDocument } from "./workspace-document.entity.ts";

/**
 * A document as existing clients see it, with the workspaces that pinned it and whether any
 * workspace watches it or holds its vectors.
 */
export interface LibraryRow extends Pick<
  Document,
  | "id"
  | "docpath"
  | "folder"
  | "url"
  | "title"
  | "docAuthor"
  | "description"
  | "docSource"
  | "chunkSource"
  | "isUpload"
  | "published"
  | "wordCount"
  | "tokenCount"
> {
  pinnedWorkspaces: number[];
  watched: boolean;
  cached: boolean;
}

/** The origin shown to people: the address of a fetched page, otherwise the uploader's words. */
export function originOf(d: Pick<LibraryRow, "docSource" | "chunkSource">): string {
  const source = readChunkSource(d.chunkSource);
  return source.kind === "link" ? source.url : d.docSource;
}

/** wire-contract 2.4. While live sync is off, nothing can be watched. */
export function mapToFileItem(d: LibraryRow, isSyncing: boolean): FileItem {
  return {
    name: d.docpath.slice(d.folder.length + 1),
    type: "file",
    id: d.id,
    url: d.url,
    title: d.title,
    docAuthor: d.docAuthor,
    description: d.description,
    docSource: d.docSource,
    chunkSource: d.chunkSource,
    published: d.published,
    wordCount: d.wordCount,
    token_count_estimate: d.tokenCount,
    cached: d.cached,
    canWatch: isSyncing && isWatchable(d),
    pinnedWorkspaces: d.pinnedWorkspaces,
    watched: d.watched,
  };
}

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
    watched: w !== null && d.watch === "active",
    canWatch: isWatchable(d),
    kind: d.kind,
    folder: d.folder,
    folderLabel: labelFolder(d),
    tags: d.tags,
    ...(d.notes && d.notes.length > 0 && { notes: d.notes }),
  };
}
