import type { findParsedFiles, Out } from "@carrel/contracts";
import type { ParsedFilePair } from "./parsed-file.repository.ts";

/**
 * Maps a file to the row of a thread's list (wire-contract 3.3). `metadata` is the document's JSON
 * without its text.
 */
export function mapParsedFile({
  file,
  document: d,
}: ParsedFilePair): Out<typeof findParsedFiles>["files"][number] {
  const metadata = {
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
    location: d.docpath,
    isDirectUpload: true,
  };
  return {
    id: file.id,
    filename: d.docpath.slice(d.folder.length + 1),
    workspaceId: file.workspaceId,
    userId: file.userId,
    threadId: file.threadId,
    metadata: JSON.stringify(metadata),
    tokenCountEstimate: d.tokenCount,
    createdAt: file.createdAt.toISOString(),
    title: d.title,
    location: d.docpath,
    documentId: d.id,
    state: d.state === "parsing" ? "queued" : d.state,
    reason: d.reason,
  };
}
