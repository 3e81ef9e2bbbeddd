import {
  addDocuments,
  embedAgain,
  moveDocuments,
  pinDocuments,
  purgeDocuments,
  removeWorkspaceDocuments,
  reparseDocuments,
  tagDocuments,
  type DocumentSelection,
  type WorkspaceDocumentStatus,
} from "@carrel/contracts";
import { useMutation, type MutationFunctionContext, type QueryKey } from "@tanstack/react-query";
import i18next from "i18next";
import { call } from "../../../lib/api.ts";
import { formatNumber } from "../../../lib/format.ts";
import { documentKeys } from "../../../lib/query-keys.ts";
import { toast } from "../../../lib/toast.ts";
import type { DocumentPage } from "../state/progress.ts";
import { refreshDocumentLists } from "../state/refresh.ts";
import { toDocumentSelections, type SelectedDocuments } from "../state/selected-documents.ts";
import { unstage } from "../state/staged.ts";
import { downloadOriginal } from "./library.ts";

/** Browsers prompt or block when a page starts too many downloads. */
const maxDownloads = 20;
/** Milliseconds between downloads, so that the browser accepts each one. */
const delayMs = 400;

type DownloadOriginals = (documents: readonly { documentId: string; title: string }[]) => void;

/** Downloads originals one after another and reports documents that have none. */
export function useDownloadOriginals(): DownloadOriginals {
  return useMutation({
    mutationFn: async (documents: Parameters<DownloadOriginals>[0]) => {
      const t = i18next.getFixedT(null, "documents-manager");
      if (documents.length > maxDownloads)
        return toast.info(t("downloadTooMany", { count: maxDownloads }));
      for (const [index, { documentId, title }] of documents.entries()) {
        if (index > 0) await new Promise((resolve) => setTimeout(resolve, delayMs));
        if (!(await downloadOriginal(documentId))) toast.info(t("noOriginal", { name: title }));
      }
    },
    meta: { errorToast: (message) => i18next.t("documents-manager:downloadFailed", { message }) },
  }).mutate;
}

/** What a bulk action did. */
export interface Outcome {
  affected: number;
  skipped: number;
}

/** Why each action skips documents. */
const skippedKeys = {
  moved: "skipped.gone",
  tagged: "skipped.gone",
  purged: "skipped.gone",
  reparsing: "skipped.notFailed",
  added: "skipped.notAdded",
  pinned: "skipped.notInWorkspace",
  unpinned: "skipped.notInWorkspace",
  removedFromWorkspace: "skipped.notInWorkspace",
  embedding: "skipped.notSearchable",
} as const;

export type OutcomeKey = keyof typeof skippedKeys;

/** Shows a toast with the number of changed documents and why others weren't changed. */
export function reportOutcome(key: OutcomeKey, { affected, skipped }: Outcome): void {
  const t = i18next.getFixedT(null, "documents-manager");
  const numbers = (count: number) => ({ count, text: formatNumber(count) });
  const rest = skipped > 0 ? t(skippedKeys[key], numbers(skipped)) : "";
  if (affected > 0) toast.success([t(key, numbers(affected)), rest].filter(Boolean).join(" "));
  else toast.info(rest || (key === "added" ? t("addedNone") : t("nothingChanged")));
}

interface BulkVariables {
  documents: SelectedDocuments | DocumentSelection[];
}
/** `false` if the form shows the error itself. */
type ErrorToast = ((message: string) => string) | false;

const actionFailed = (message: string): string =>
  i18next.t("documents-manager:actionFailed", { message });

/** Runs one request per selection, in turn, and adds up the outcomes. */
async function runEach(
  { documents }: BulkVariables,
  run: (selection: DocumentSelection) => Promise<Outcome>,
): Promise<Outcome> {
  const all: Outcome = { affected: 0, skipped: 0 };
  for (const selection of Array.isArray(documents) ? documents : toDocumentSelections(documents)) {
    const { affected, skipped } = await run(selection);
    all.affected += affected;
    all.skipped += skipped;
  }
  return all;
}

/** Reports how many documents changed, and refreshes every list that shows them. */
function bulkAction<Variables extends BulkVariables>(
  outcomeKey: (variables: Variables) => OutcomeKey,
  run: (selection: DocumentSelection, variables: Variables) => Promise<Outcome>,
  errorToast: ErrorToast = actionFailed,
) {
  return {
    mutationFn: (variables: Variables) =>
      runEach(variables, (selection) => run(selection, variables)),
    onSuccess: (outcome: Outcome, variables: Variables) =>
      reportOutcome(outcomeKey(variables), outcome),
    onSettled: refreshDocumentLists,
    meta: { errorToast },
  };
}

export const useAddDocuments = (slug: string) =>
  useMutation(
    bulkAction(
      () => "added",
      (selection) => call(addDocuments, { slug, selection }),
    ),
  );

/** Adds what is staged for the workspace, and then unstages it. */
export const useSaveStaged = (slug: string) => {
  const action = bulkAction(
    () => "added",
    (selection) => call(addDocuments, { slug, selection }),
  );
  return useMutation({
    ...action,
    onSuccess: (outcome, variables) => {
      action.onSuccess(outcome, variables);
      unstage(slug);
    },
  });
};

export const useRemoveDocuments = (slug: string) =>
  useMutation(
    bulkAction(
      () => "removedFromWorkspace",
      (selection) => call(removeWorkspaceDocuments, { slug, selection }),
    ),
  );

export const useReembedDocuments = (slug: string) =>
  useMutation(
    bulkAction(
      () => "embedding",
      (selection) => call(embedAgain, { slug, selection }),
    ),
  );

export const usePinDocuments = (slug: string) =>
  useMutation({
    ...bulkAction<BulkVariables & { pinned: boolean }>(
      ({ pinned }) => (pinned ? "pinned" : "unpinned"),
      (selection, { pinned }) => call(pinDocuments, { slug, selection, pinned }),
    ),
    ...optimisticDocuments(
      documentKeys.inWorkspace(slug),
      ({ documents }: BulkVariables & { pinned: boolean }, documentId) =>
        !Array.isArray(documents) && documents.documents.has(documentId),
      ({ pinned }) => ({ pinned }),
    ),
  });

export const useMoveDocuments = (errorToast?: ErrorToast) =>
  useMutation(
    bulkAction<BulkVariables & { folder: string }>(
      () => "moved",
      (selection, { folder }) => call(moveDocuments, { selection, folder }),
      errorToast,
    ),
  );

export const useTagDocuments = (errorToast?: ErrorToast) =>
  useMutation(
    bulkAction<BulkVariables & { add: string[]; remove: string[] }>(
      () => "tagged",
      (selection, { add, remove }) => call(tagDocuments, { selection, add, remove }),
      errorToast,
    ),
  );

/** Deletes documents from the library and from every workspace. */
export const usePurgeDocuments = () =>
  useMutation(
    bulkAction(
      () => "purged",
      (selection) => call(purgeDocuments, { selection }),
    ),
  );

export const useReparseDocuments = () =>
  useMutation(
    bulkAction(
      () => "reparsing",
      (selection) => call(reparseDocuments, { selection }),
    ),
  );

type Pages = [QueryKey, DocumentPage | undefined][];

/**
 * Like `optimistic`, for documents that any number of cached pages may show: all of them change,
 * and all are rolled back on failure.
 */
function optimisticDocuments<Variables>(
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
