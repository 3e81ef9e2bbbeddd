import type { WorkspaceDocumentStatus } from "@carrel/contracts";
import type { MutationFunctionContext, QueryKey } from "@tanstack/react-query";
import type { DocumentPage } from "./progress.ts";

type Pages = [QueryKey, DocumentPage | undefined][];

/**
 * Like `optimistic`, for documents that any number of cached pages may show: all of them change,
 * and all are rolled back on failure.
 */
export function optimisticDocuments<Variables>(
  queryKey: QueryKey,
  isAffected: (variables: Variables, documentId: string) => boolean,
  change: (variables: Variables) => Partial<WorkspaceDocumentStatus>,
) {
  return {
    onMutate: async (variables: Variables, { client }: MutationFunctionContext) => {
      await client.cancelQueries({ queryKey });
      const pages: Pages = client.getQueriesData<DocumentPage>({ queryKey });
      client.setQueriesData<DocumentPage>(
        { queryKey },
        (page) =>
          page && {
            ...page,
            documents: page.documents.map((document) =>
              isAffected(variables, document.documentId)
                ? { ...document, ...change(variables) }
                : document,
            ),
          },
      );
      return { pages };
    },
    onError: (
      _error: Error,
      _variables: Variables,
      shown: { pages: Pages } | undefined,
      { client }: MutationFunctionContext,
    ) => {
      for (const [key, page] of shown?.pages ?? []) client.setQueryData(key, page);
    },
  };
}
