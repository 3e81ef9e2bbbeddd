import { listDocumentStatuses, type Out } from "@carrel/contracts";
import { clipText } from "@carrel/contracts/clip-text";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { call } from "../../../lib/api.ts";
import { documentKeys } from "../../../lib/query-keys.ts";

const mostDocuments = 6;
/** Folders are those of a workspace's newest documents. */
const mostSeen = 200;

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
    select: ({ documents }: Out<typeof listDocumentStatuses>) => [
      ...new Set(documents.flatMap(({ folder }) => folder ?? [])),
    ],
  });
