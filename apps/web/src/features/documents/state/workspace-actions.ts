import {
  changeEncoding,
  leaveEmbedQueue,
  removeWorkspaceDocument,
  retryDocument,
  type In,
  type WorkspaceDocumentStatus,
} from "@carrel/contracts";
import { useMutation, useQuery } from "@tanstack/react-query";
import i18next from "i18next";
import { call } from "../../../lib/api.ts";
import { toast } from "../../../lib/toast.ts";
import { useSyncNow, useWatchDocument, watchesQuery } from "../../../lib/watches.ts";
import { useDownloadOriginals, usePinDocuments, useReembedDocuments } from "../api/bulk-actions.ts";
import { hasSeenExplainer, type DialogRequest } from "./dialog-request.ts";
import { refreshDocumentLists } from "./refresh.ts";
import { countSelected, type SelectedDocuments } from "./selected-documents.ts";
import { noFolders, selectOnly, type WorkspaceSelection } from "./workspace-selection.ts";

const useRetryDocument = (slug: string) =>
  useMutation({
    mutationFn: ({ documentId }: WorkspaceDocumentStatus) =>
      call(retryDocument, { slug, documentId }),
    onSettled: refreshDocumentLists,
    meta: {
      errorToast: (message) => i18next.t("documents-manager:workspace.retryFailed", { message }),
    },
  });

export const useRemoveDocument = (slug: string) =>
  useMutation({
    mutationFn: ({ documentId }: WorkspaceDocumentStatus) =>
      call(removeWorkspaceDocument, { slug, documentId }),
    onSuccess: (_reply, { title }) =>
      toast.success(i18next.t("documents-manager:workspace.removed", { title })),
    onSettled: refreshDocumentLists,
    meta: {
      errorToast: (message) => i18next.t("documents-manager:workspace.removeFailed", { message }),
    },
  });

export type ChosenEncoding = In<typeof changeEncoding>["encoding"];

/** Reads a document again, in all its workspaces. */
const useChangeEncoding = () =>
  useMutation({
    mutationFn: (chosen: { documentId: string; encoding: ChosenEncoding }) =>
      call(changeEncoding, chosen),
    onSettled: refreshDocumentLists,
    meta: { errorToast: (message) => i18next.t("documents-manager:encoding.failed", { message }) },
  });

/** Removes a queued document from the workspace's embedding queue. */
const useCancelEmbedding = (slug: string) =>
  useMutation({
    mutationFn: ({ docpath }: WorkspaceDocumentStatus) =>
      call(leaveEmbedQueue, { slug, filename: docpath ?? "" }),
    onSuccess: (_reply, { title }) =>
      toast.success(i18next.t("documents-manager:stopped", { name: title })),
    onSettled: refreshDocumentLists,
    meta: { errorToast: (message) => i18next.t("documents-manager:actionFailed", { message }) },
  });

type RowAction = (document: WorkspaceDocumentStatus) => void;
/** What managers can do with one of a workspace's documents. */
export interface WorkspaceRowActions {
  retry: RowAction;
  remove: RowAction;
  cancelEmbedding: RowAction;
  pin: RowAction;
  reembed: RowAction;
  move: RowAction;
  tag: RowAction;
  download: RowAction;
  /** Watches it for changes at its source, or stops watching it. */
  watch: RowAction;
  syncNow: RowAction;
  /** Shows when it is synced, and how that went. */
  showWatch: RowAction;
  /** Reads the document again with another encoding. */
  readAs: (document: WorkspaceDocumentStatus, encoding: ChosenEncoding) => void;
}

/** What managers can do with a workspace's documents. */
export interface WorkspaceActions {
  /** Opens the dialog for these documents. */
  openDialog: (kind: "move" | "tag" | "remove", selected: SelectedDocuments) => void;
  pin: (selected: SelectedDocuments, pinned: boolean) => void;
  reembed: (selected: SelectedDocuments) => void;
  row: WorkspaceRowActions;
}

export function useWorkspaceActions(
  slug: string,
  { clear }: WorkspaceSelection,
  onOpenDialog: (request: DialogRequest) => void,
  /** Asks before removing one document. */
  onRemove: RowAction,
  /** Has room for the full manager. */
  fullManager: boolean,
): WorkspaceActions {
  const pinning = usePinDocuments(slug);
  const reembedding = useReembedDocuments(slug);
  const retry = useRetryDocument(slug);
  const changeEncoding = useChangeEncoding();
  const cancelEmbedding = useCancelEmbedding(slug);
  const download = useDownloadOriginals();
  const watching = useWatchDocument();
  const sync = useSyncNow();
  const watches = useQuery({ ...watchesQuery(slug), enabled: false }).data?.watches;
  const openDialog: WorkspaceActions["openDialog"] = (kind, selected) => {
    const [document] = selected.documents.values();
    onOpenDialog({
      kind,
      selected,
      count: countSelected(selected, noFolders),
      title: selected.documents.size === 1 && document ? document.title : null,
      done: clear,
    });
  };
  const pin = (selected: SelectedDocuments, pinned: boolean): void =>
    pinning.mutate(
      { documents: selected, pinned },
      {
        onSuccess: () => {
          if (pinned && !hasSeenExplainer("pin")) onOpenDialog({ kind: "explain", what: "pin" });
        },
      },
    );
  const reembed = (selected: SelectedDocuments): void =>
    reembedding.mutate({ documents: selected });
  return {
    openDialog,
    pin,
    reembed,
    row: {
      retry: (document) => retry.mutate(document),
      remove: (document) =>
        fullManager && document.state !== "failed"
          ? openDialog("remove", selectOnly(document))
          : onRemove(document),
      cancelEmbedding: (document) => cancelEmbedding.mutate(document),
      pin: (document) => pin(selectOnly(document), !document.pinned),
      reembed: (document) => reembed(selectOnly(document)),
      move: (document) => openDialog("move", selectOnly(document)),
      tag: (document) => openDialog("tag", selectOnly(document)),
      download: (document) => download([document]),
      watch: ({ docpath, watched }) => {
        if (docpath === null) return;
        watching.mutate(
          { slug, docPath: docpath, watched: !watched },
          {
            onSuccess: () => {
              if (!watched && !hasSeenExplainer("watch"))
                onOpenDialog({ kind: "explain", what: "watch" });
            },
          },
        );
      },
      syncNow: ({ documentId }) => {
        const watch = watches?.find(({ document }) => document?.id === documentId);
        if (watch) sync.mutate({ slug, watchId: watch.id });
      },
      showWatch: ({ documentId }) => onOpenDialog({ kind: "watch", documentId }),
      readAs: ({ documentId }, encoding) => changeEncoding.mutate({ documentId, encoding }),
    },
  };
}
