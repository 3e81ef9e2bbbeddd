import type { WorkspaceDocumentStatus } from "@carrel/contracts";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { formatNumber } from "../../../lib/format.ts";
import { errorMessage } from "../../../lib/error-message.ts";
import { toast } from "../../../lib/toast.ts";
import type { WorkspaceView } from "../api/library.ts";
import {
  countChosen,
  nothing,
  turnException,
  withDocuments,
  type Chosen,
  type ChosenDocument,
} from "./chosen.ts";
import { longestRange } from "./library-selection.ts";
import type { WorkspaceRows } from "./workspace-rows.ts";

/** Up to this many rows, "Select all" selects the documents one by one. */
const fewRows = 200;
const mostRows = 10_000;

const asChosen = ({
  documentId,
  title,
  docpath,
  tags,
  state,
  hasOriginal,
  pinned,
}: WorkspaceDocumentStatus): ChosenDocument => ({
  documentId,
  title,
  docpath,
  tags: tags ?? [],
  failed: state === "failed",
  hasOriginal,
  pinned: pinned ?? false,
});

/** A workspace's list has no folders. */
export const noFolders = (): number => 0;

export const only = (document: WorkspaceDocumentStatus): Chosen =>
  withDocuments(nothing, [asChosen(document)], true);

export interface WorkspaceSelection {
  chosen: Chosen;
  count: number;
  clear: () => void;
  chooseAll: () => void;
  /** Selects or deselects a row; with `range`, selects all rows from `from` to it. */
  choose: (index: number, range: boolean, from: number) => void;
}

export function useWorkspaceSelection(
  slug: string,
  rows: WorkspaceRows,
  view: WorkspaceView,
  /** Whether documents can be selected at all. */
  enabled: boolean,
): WorkspaceSelection {
  const { t } = useTranslation("library");
  const [chosen, setChosen] = useState<Chosen>(nothing);
  // "All matching" means something else once the filter changes, so drop that selection.
  const [viewBefore, setViewBefore] = useState(view);
  if (view !== viewBefore) {
    setViewBefore(view);
    if (chosen.all) setChosen(nothing);
  }

  const reportFailure = (error: unknown): void =>
    toast.error(t("actFailed", { message: errorMessage(error) }));
  const selectAll = async (): Promise<void> => {
    if (!enabled || rows.count === 0) return;
    const { search, state, kinds, tags } = view;
    // The server's filter has no "pinned", and a page or two is better selected by ID.
    if (state === "pinned" || rows.count <= fewRows) {
      const documents = await rows.documentsBetween(0, Math.min(rows.count, mostRows) - 1);
      setChosen(withDocuments(nothing, documents.map(asChosen), true));
    } else
      setChosen({
        ...nothing,
        all: {
          filter: {
            heldIn: slug,
            ...(search === "" ? {} : { search }),
            ...(state ? { state } : {}),
            kinds,
            tags,
          },
          total: rows.count,
        },
      });
  };
  const select = async (index: number, range: boolean, from: number): Promise<void> => {
    if (!enabled) return;
    const document = rows.documentAt(index);
    if (chosen.all) {
      setChosen((before) => {
        const next = document ? turnException(before, document.documentId, null) : before;
        return countChosen(next, noFolders) === 0 ? nothing : next;
      });
    } else if (range) {
      const [first, last] = index < from ? [index, from] : [from, index];
      if (last - first > longestRange)
        return toast.info(t("rangeTooLong", { text: formatNumber(longestRange) }));
      const documents = await rows.documentsBetween(first, last);
      setChosen((before) => withDocuments(before, documents.map(asChosen), true));
    } else if (document)
      setChosen((before) =>
        withDocuments(before, [asChosen(document)], !before.documents.has(document.documentId)),
      );
  };
  return {
    chosen,
    count: countChosen(chosen, noFolders),
    clear: () => setChosen(nothing),
    chooseAll: () => void selectAll().catch(reportFailure),
    choose: (index, range, from) => void select(index, range, from).catch(reportFailure),
  };
}
