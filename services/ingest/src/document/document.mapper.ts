import type { FileItem } from "@carrel/contracts";
import type { Document } from "./document.entity.ts";

/**
 * What existing clients see of a document, with the workspaces that pinned it, and whether any
 * watches it or holds vectors of it.
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

/** Sources that can be fetched again (wire-contract 6.6). */
const watchable = /^(youtube|confluence|github|gitlab|gitea|drupalwiki):\/\//;

export const isWatchable = (d: Pick<LibraryRow, "chunkSource" | "title">): boolean =>
  watchable.test(d.chunkSource) ||
  (d.chunkSource.startsWith("link://") && d.title.endsWith(".html"));

/**
 * Where a document is from in words for a person: the address of a page that was fetched, else what
 * its uploader named.
 */
export const originOf = (d: Pick<LibraryRow, "docSource" | "chunkSource">): string =>
  d.chunkSource.startsWith("link://") ? d.chunkSource.slice("link://".length) : d.docSource;

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
