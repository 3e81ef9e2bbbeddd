import {
  addDocuments,
  createFolder,
  embedAgain,
  getProcessorStatus,
  leaveEmbedQueue,
  listDocumentStatuses,
  listFolders,
  listLibrary,
  moveDocuments,
  pinDocuments,
  purgeDocuments,
  removeFolder,
  renameFolder,
  rereadDocuments,
  signOriginal,
  tagDocuments,
  takeOutDocuments,
  type DocumentSelection,
  type LibraryDocument,
  type LibraryFilter,
  type Out,
  type WorkspaceDocumentStatus,
} from "@carrel/contracts";
import { queryOptions } from "@tanstack/react-query";
import { ApiError, call } from "../../../lib/api.ts";
import { documentKeys } from "../../../lib/query-keys.ts";
import { completeFilter } from "../state/chosen.ts";
import { buildTree } from "../state/folder-tree.ts";
import type { Narrowing } from "../state/narrowing.ts";

/** Rows per page. Pages out of view are dropped from the cache after a minute. */
export const pageSize = 100;
const forget = 60_000;

export interface Page<T> {
  documents: T[];
  total: number;
}
export interface Sorting {
  sort: "added" | "title" | "bytes";
  descending: boolean;
}

export const libraryKeys = {
  all: ["library"],
  page: (filter: Partial<LibraryFilter>, sorting: Sorting, page: number) => [
    "library",
    filter,
    sorting,
    page,
  ],
  folders: ["library-folders"],
  processor: ["processor"],
} as const;

export const foldersQuery = queryOptions({
  queryKey: libraryKeys.folders,
  queryFn: ({ signal }) => call(listFolders, {}, { signal }),
  select: (reply) => ({ ...reply, tree: buildTree(reply.folders) }),
});

export const libraryPageQuery = (filter: Partial<LibraryFilter>, sorting: Sorting, page: number) =>
  queryOptions({
    queryKey: libraryKeys.page(filter, sorting, page),
    queryFn: ({ signal }): Promise<Page<LibraryDocument>> =>
      call(
        listLibrary,
        { filter: completeFilter(filter), ...sorting, offset: page * pageSize, limit: pageSize },
        { signal },
      ),
    gcTime: forget,
  });

export interface WorkspaceView extends Sorting, Pick<Narrowing, "kinds" | "tags" | "state"> {
  search: string;
}
export const workspacePageQuery = (
  slug: string,
  { search, state, kinds, tags, sort, descending }: WorkspaceView,
  page: number,
) =>
  queryOptions({
    queryKey: [
      ...documentKeys.inWorkspace(slug),
      search,
      state,
      kinds,
      tags,
      sort,
      descending,
      page,
    ],
    queryFn: ({ signal }): Promise<Out<typeof listDocumentStatuses>> =>
      call(
        listDocumentStatuses,
        {
          slug,
          search,
          ...(state ? { state } : {}),
          kinds,
          tags,
          sort,
          descending,
          offset: page * pageSize,
          limit: pageSize,
        },
        { signal },
      ),
    gcTime: forget,
  });

/**
 * False while the document processor is down, which the server reports as a 503. Any other error
 * says nothing about the processor and counts as up.
 */
export const processorQuery = queryOptions({
  queryKey: libraryKeys.processor,
  queryFn: async ({ signal }) => {
    try {
      await call(getProcessorStatus, {}, { signal });
    } catch (error) {
      if (error instanceof ApiError && error.status === 503) return false;
      if (signal.aborted) throw error;
    }
    return true;
  },
  staleTime: 0,
  retry: false,
  // Polls only while the processor is down, when someone may be waiting for it.
  refetchInterval: ({ state }) => (state.data === false ? 15_000 : false),
});

export interface Outcome {
  affected: number;
  skipped: number;
  message: string | null;
}
/** Runs the requests one after another and adds up what was skipped. */
export async function forEach(
  selections: DocumentSelection[],
  run: (selection: DocumentSelection) => Promise<Outcome>,
): Promise<Outcome> {
  const all: Outcome = { affected: 0, skipped: 0, message: null };
  for (const selection of selections) {
    const { affected, skipped, message } = await run(selection);
    all.affected += affected;
    all.skipped += skipped;
    all.message ??= message;
  }
  return all;
}
export const addTo =
  (slug: string) =>
  (selection: DocumentSelection): Promise<Outcome> =>
    call(addDocuments, { slug, selection });
export const takeOutOf =
  (slug: string) =>
  (selection: DocumentSelection): Promise<Outcome> =>
    call(takeOutDocuments, { slug, selection });
export const embedAgainIn =
  (slug: string) =>
  (selection: DocumentSelection): Promise<Outcome> =>
    call(embedAgain, { slug, selection });
export const pinIn =
  (slug: string, pinned: boolean) =>
  (selection: DocumentSelection): Promise<Outcome> =>
    call(pinDocuments, { slug, selection, pinned });
export const moveTo =
  (folder: string) =>
  (selection: DocumentSelection): Promise<Outcome> =>
    call(moveDocuments, { selection, folder });
export const tagWith =
  (add: string[], remove: string[]) =>
  (selection: DocumentSelection): Promise<Outcome> =>
    call(tagDocuments, { selection, add, remove });
export const purge = (selection: DocumentSelection): Promise<Outcome> =>
  call(purgeDocuments, { selection });
export const reread = (selection: DocumentSelection): Promise<Outcome> =>
  call(rereadDocuments, { selection });

export async function makeFolder(name: string): Promise<void> {
  const reply = await call(createFolder, { name });
  if (!reply.success) throw new Error(reply.message ?? "");
}
export const nameFolder = (from: string, to: string): Promise<unknown> =>
  call(renameFolder, { from, to });
export const dropFolder = (name: string): Promise<unknown> => call(removeFolder, { name });
/** Removes a queued document from the workspace's embedding queue. */
export const stopEmbedding = (slug: string, document: WorkspaceDocumentStatus): Promise<unknown> =>
  call(leaveEmbedQueue, { slug, filename: document.docpath ?? "" });

/** Downloads an original under its own name; false if the document has none. */
export async function downloadOriginal(documentId: string): Promise<boolean> {
  const { url } = await call(signOriginal, { documentId });
  if (url === null) return false;
  const link = document.createElement("a");
  link.href = url;
  link.download = "";
  link.click();
  return true;
}
