import { listDocumentStatuses, type Out, type WorkspaceDocumentStatus } from "@carrel/contracts";
import { clipText } from "@carrel/contracts/clip-text";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { call } from "../../../lib/api.ts";
import { documentKeys } from "../../../lib/query-keys.ts";

const mostDocuments = 6;
/** Folders come from this many of a workspace's newest documents. */
const mostSeen = 200;

/** The folders of these documents, by label; duplicate labels get a number. */
export function nameFolders(
  documents: Pick<WorkspaceDocumentStatus, "folder" | "folderLabel">[],
): { name: string; label: string }[] {
  const folders = new Map<string, string>();
  const taken = new Set<string>();
  for (const { folder, folderLabel = folder } of documents) {
    // The root contains everything that isn't in a folder.
    if (folder === undefined || folderLabel == null || folders.has(folder)) continue;
    let label = folderLabel;
    for (let n = 2; taken.has(label); n += 1) label = `${folderLabel} (${n})`;
    taken.add(label);
    folders.set(folder, label);
  }
  return Array.from(folders, ([name, label]) => ({ name, label }));
}

/** Documents whose names match, or the newest ones. */
export const mentionableQuery = (slug: string, term: string) =>
  queryOptions({
    queryKey: documentKeys.named(slug, `@${term}`),
    staleTime: 10_000,
    gcTime: 60_000,
    retry: false,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      call(
        listDocumentStatuses,
        { slug, search: clipText(term, 200), limit: mostDocuments },
        { signal },
      ),
  });

export const mentionableFoldersQuery = (slug: string) =>
  queryOptions({
    queryKey: documentKeys.named(slug, "@folders"),
    staleTime: 30_000,
    gcTime: 60_000,
    retry: false,
    queryFn: ({ signal }) => call(listDocumentStatuses, { slug, limit: mostSeen }, { signal }),
    select: ({ documents }: Out<typeof listDocumentStatuses>) => nameFolders(documents),
  });
