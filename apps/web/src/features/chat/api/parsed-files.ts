import { deleteParsedFiles, embedParsedFile, listParsedFiles, parseFile } from "@carrel/contracts";
import { queryOptions } from "@tanstack/react-query";
import { addressOf, call } from "../../../lib/api.ts";
import { queryClient } from "../../../lib/query-client.ts";
import { sendFile } from "../../../lib/send-file.ts";

const key = (slug: string, threadSlug: string | null): unknown[] => [
  "parsed-files",
  slug,
  threadSlug,
];

/**
 * Files that answers in this thread read in full, and how much of the model's context window they
 * take.
 */
export const parsedFilesQuery = (slug: string, threadSlug: string | null) =>
  queryOptions({
    queryKey: key(slug, threadSlug),
    queryFn: ({ signal }) =>
      call(listParsedFiles, { slug, ...(threadSlug ? { threadSlug } : {}) }, { signal }),
  });
const refreshParsedFiles = (slug: string, threadSlug: string | null): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: key(slug, threadSlug) });

/**
 * Parses a file into the thread; resolves when that is done. Throws with the reason if it fails.
 */
export async function parseIntoThread(
  slug: string,
  threadSlug: string | null,
  file: File,
  onProgress: (fraction: number) => void,
  signal: AbortSignal,
): Promise<void> {
  await sendFile(addressOf(parseFile, { slug }).url, file, {
    fields: { threadSlug: threadSlug ?? "null" },
    onProgress,
    signal,
  });
  await refreshParsedFiles(slug, threadSlug);
}
export async function removeParsedFile(
  slug: string,
  threadSlug: string | null,
  id: number,
): Promise<void> {
  await call(deleteParsedFiles, { slug, fileIds: [id] });
  await refreshParsedFiles(slug, threadSlug);
}
/** Turns them into documents of the workspace, which are searched instead of read in full. */
export async function embedParsedFiles(
  slug: string,
  threadSlug: string | null,
  ids: number[],
): Promise<void> {
  try {
    for (const fileId of ids) await call(embedParsedFile, { slug, fileId });
  } finally {
    await Promise.all([
      refreshParsedFiles(slug, threadSlug),
      queryClient.invalidateQueries({ queryKey: ["documents", slug] }),
      queryClient.invalidateQueries({ queryKey: ["document-counts"] }),
    ]);
  }
}
