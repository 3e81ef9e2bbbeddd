import { diffDocumentVersion, listDocumentVersions } from "@carrel/contracts";
import { queryOptions } from "@tanstack/react-query";
import { call } from "../../../lib/api.ts";

/** The contents that a document has had, newest first. */
export const versionsQuery = (slug: string, documentId: string) =>
  queryOptions({
    queryKey: ["document-versions", slug, documentId],
    queryFn: async ({ signal }) =>
      (await call(listDocumentVersions, { slug, documentId }, { signal })).versions,
    staleTime: 0,
  });

/** What changed in a document after this version. */
export const versionDiffQuery = (slug: string, documentId: string, version: number) =>
  queryOptions({
    queryKey: ["document-version-diff", slug, documentId, version],
    queryFn: ({ signal }) => call(diffDocumentVersion, { slug, documentId, version }, { signal }),
    staleTime: Infinity,
  });
