import type { WorkspaceDocumentStatus } from "@carrel/contracts";
import { useDownloadOriginals, usePinDocuments, useReembedDocuments } from "../api/bulk-actions.ts";
import {
  useCancelEmbedding,
  useChangeEncoding,
  useRetryDocument,
  type ChosenEncoding,
} from "../api/workspace-documents.ts";
import { hasSeenExplainer, type DialogRequest } from "./dialog-request.ts";
import { countSelected, type SelectedDocuments } from "./selected-documents.ts";
import { noFolders, selectOnly, type WorkspaceSelection } from "./workspace-selection.ts";

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
      readAs: ({ documentId }, encoding) => changeEncoding.mutate({ documentId, encoding }),
    },
  };
}
