import { readChunkSource, type FileItem } from "@carrel/contracts";
import type { Document } from "./document.entity.ts";

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
  | "published"
  | "wordCount"
  | "tokenCount"
> {
  pinnedWorkspaces: number[];
  watched: boolean;
  cached: boolean;
}

/** Whether the source can be fetched again (wire-contract 6.6). */
export function isWatchable(d: Pick<LibraryRow, "chunkSource" | "title">): boolean {
  const source = readChunkSource(d.chunkSource);
  return source.kind === "connector" || (source.kind === "link" && d.title.endsWith(".html"));
}

/** The origin shown to people: the address of a fetched page, otherwise the uploader's words. */
export function originOf(d: Pick<LibraryRow, "docSource" | "chunkSource">): string {
  const source = readChunkSource(d.chunkSource);
  return source.kind === "link" ? source.url : d.docSource;
}

/** wire-contract 2.4. */
export function mapToFileItem(d: LibraryRow): FileItem {
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
    canWatch: isWatchable(d),
    pinnedWorkspaces: d.pinnedWorkspaces,
    watched: d.watched,
  };
}
