import type { WorkspaceDocumentStatus } from "@carrel/contracts";
import { usePinDocuments, useReembedDocuments } from "../api/bulk-actions.ts";
import { useCancelEmbedding, useRetryDocument } from "../api/workspace-documents.ts";
import type { Ask } from "./ask.ts";
import { countChosen, type Chosen } from "./chosen.ts";
import { saveOriginals } from "./download.ts";
import { isExplained } from "./explained.ts";
import { noFolders, only, type WorkspaceSelection } from "./workspace-selection.ts";

type RowAction = (document: WorkspaceDocumentStatus) => void;
/** What managers can do with one of a workspace's documents. */
export interface WorkspaceRowActions {
  retry: RowAction;
  remove: RowAction;
  stop: RowAction;
  pin: RowAction;
  again: RowAction;
  move: RowAction;
  tag: RowAction;
  download: RowAction;
}

/** What managers can do with a workspace's documents. */
export interface WorkspaceActions {
  /** Opens the dialog for these documents. */
  ask: (kind: "move" | "tag" | "take-out", chosen: Chosen) => void;
  pin: (chosen: Chosen, pinned: boolean) => void;
  reembed: (chosen: Chosen) => void;
  row: WorkspaceRowActions;
}

export function useWorkspaceActions(
  slug: string,
  { clear }: WorkspaceSelection,
  onAsk: (ask: Ask) => void,
  /** Asks before removing one document. */
  onRemove: RowAction,
  /** Has room for the full manager. */
  whole: boolean,
): WorkspaceActions {
  const pinning = usePinDocuments(slug);
  const reembedding = useReembedDocuments(slug);
  const retry = useRetryDocument(slug);
  const cancelEmbedding = useCancelEmbedding(slug);
  const ask: WorkspaceActions["ask"] = (kind, chosen) => {
    const [document] = chosen.documents.values();
    onAsk({
      kind,
      chosen,
      count: countChosen(chosen, noFolders),
      title: chosen.documents.size === 1 && document ? document.title : null,
      done: clear,
    });
  };
  const pin = (chosen: Chosen, pinned: boolean): void =>
    pinning.mutate(
      { documents: chosen, pinned },
      {
        onSuccess: () => {
          if (pinned && !isExplained("pin")) onAsk({ kind: "explain", what: "pin" });
        },
      },
    );
  const reembed = (chosen: Chosen): void => reembedding.mutate({ documents: chosen });
  return {
    ask,
    pin,
    reembed,
    row: {
      retry: (document) => retry.mutate(document),
      remove: (document) =>
        whole && document.state !== "failed" ? ask("take-out", only(document)) : onRemove(document),
      stop: (document) => cancelEmbedding.mutate(document),
      pin: (document) => pin(only(document), !document.pinned),
      again: (document) => reembed(only(document)),
      move: (document) => ask("move", only(document)),
      tag: (document) => ask("tag", only(document)),
      download: (document) => void saveOriginals([document]),
    },
  };
}
