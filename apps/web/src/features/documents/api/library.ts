import {
  getProcessorStatus,
  listDocumentStatuses,
  listFolders,
  listLibrary,
  signOriginal,
  type LibraryDocument,
  type LibraryFilter,
  type Out,
} from "@carrel/contracts";
import { queryOptions } from "@tanstack/react-query";
import { ApiError, call } from "../../../lib/api.ts";
import { documentKeys } from "../../../lib/query-keys.ts";
import type { DocumentFilters } from "../state/document-filters.ts";
import { buildTree } from "../state/folder-tree.ts";
import { completeFilter } from "../state/selected-documents.ts";

/** Rows per page. Pages out of view are dropped from the cache after a minute. */
export const pageSize = 100;
const outOfViewMs = 60_000;

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

const workspaceDocumentKeys = {
  page: (slug: string, view: WorkspaceView, page: number) => [
    ...documentKeys.inWorkspace(slug),
    view,
    page,
  ],
};

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
    gcTime: outOfViewMs,
  });

export interface WorkspaceView extends Sorting, Pick<DocumentFilters, "kinds" | "tags" | "state"> {
  search: string;
}
export const workspacePageQuery = (slug: string, view: WorkspaceView, page: number) =>
  queryOptions({
    queryKey: workspaceDocumentKeys.page(slug, view, page),
    queryFn: ({ signal }): Promise<Out<typeof listDocumentStatuses>> => {
      const { state, ...rest } = view;
      return call(
        listDocumentStatuses,
        {
          slug,
          ...rest,
          ...(state ? { state } : {}),
          offset: page * pageSize,
          limit: pageSize,
        },
        { signal },
      );
    },
    gcTime: outOfViewMs,
  });

/**
 * False while the document processor is down, which the server reports as a 503. Any other error
 * says nothing about the processor, so it counts as up.
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
