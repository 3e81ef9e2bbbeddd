import type { LibraryDocument, LibraryFilter } from "@carrel/contracts";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { formatNumber } from "../../../lib/format.ts";
import { toast } from "../../../lib/toast.ts";
import { parentOf, type FolderTree } from "./folder-tree.ts";
import type { LibraryRows } from "./library-rows.ts";
import {
  selectedFolderOf,
  countSelected,
  isSelected,
  isFolderSelected,
  emptySelection,
  toggleExclusion,
  toggleFolderExclusion,
  withDocuments,
  withFolder,
  type SelectedDocuments,
  type SelectedDocument,
} from "./selected-documents.ts";

/** Maximum rows of a range selection. */
export const maxRange = 5000;

const toSelectedDocument = ({
  documentId,
  title,
  docpath,
  tags,
  state,
  hasOriginal,
}: LibraryDocument): SelectedDocument => ({
  documentId,
  title,
  docpath,
  tags,
  failed: state === "failed",
  hasOriginal,
  pinned: false,
});

export interface LibrarySelection {
  selected: SelectedDocuments;
  count: number;
  clear: () => void;
  selectAll: () => void;
  /** Selects or deselects a row; with `range`, selects all rows from `from` to it. */
  select: (index: number, range: boolean, from: number) => void;
  /** Documents in a folder and its subfolders. */
  deepCount: (folder: string) => number;
  /** The selection if this row is part of it, otherwise the row alone; null while it loads. */
  selectionForDrag: (index: number) => { selected: SelectedDocuments; isSelection: boolean } | null;
}

export const selectOnly = (document: LibraryDocument): SelectedDocuments =>
  withDocuments(emptySelection, [toSelectedDocument(document)], true);

export function useLibrarySelection(
  rows: LibraryRows,
  folders: FolderTree | undefined,
  filter: Partial<LibraryFilter>,
  /** Documents in the whole list. */
  total: number,
): LibrarySelection {
  const { t } = useTranslation("documents-manager");
  const [selected, setSelected] = useState<SelectedDocuments>(emptySelection);
  const { flat } = rows;
  const deepCount = (folder: string): number => folders?.byName.get(folder)?.deep ?? 0;
  // "All matching" means something else once the filter changes, so drop that selection.
  const [filterBefore, setFilterBefore] = useState(filter);
  if (filter !== filterBefore) {
    setFilterBefore(filter);
    if (selected.all) setSelected(emptySelection);
  }

  const toggleExcluded = (index: number): void => {
    const row = rows.rowAt(index);
    const document = rows.documentAt(index);
    const toggled = (before: SelectedDocuments): SelectedDocuments =>
      row?.kind === "folder"
        ? toggleFolderExclusion(before, row.node.name)
        : document
          ? toggleExclusion(before, document.documentId, flat ? null : document.folder)
          : before;
    setSelected((before) => {
      const next = toggled(before);
      return countSelected(next, deepCount) === 0 ? emptySelection : next;
    });
  };
  const selectRows = useMutation({
    mutationFn: async ({ first, last }: { first: number; last: number }) => {
      const documents = await rows.documentsBetween(first, last);
      const closedFolders = flat
        ? []
        : rows.tree.segments.flatMap((segment) =>
            segment.kind === "folder" &&
            segment.start >= first &&
            segment.start <= last &&
            !rows.expanded.has(segment.node.name)
              ? [segment.node.name]
              : [],
          );
      setSelected((before) =>
        closedFolders.reduce(
          (next, folder) => withFolder(next, folder, true),
          withDocuments(before, documents.map(toSelectedDocument), true),
        ),
      );
    },
    meta: { errorToast: (message) => t("actionFailed", { message }) },
  });
  const selectRange = (first: number, last: number): void => {
    if (last - first > maxRange) toast.info(t("rangeTooLong", { text: formatNumber(maxRange) }));
    else selectRows.mutate({ first, last });
  };
  const toggle = (index: number): void => {
    const row = rows.rowAt(index);
    if (row?.kind === "folder")
      return setSelected((before) =>
        selectedFolderOf(before, parentOf(row.node.name))
          ? before
          : withFolder(before, row.node.name, !before.folders.has(row.node.name)),
      );
    const document = rows.documentAt(index);
    if (document)
      setSelected((before) =>
        !flat && row && selectedFolderOf(before, row.folder)
          ? before
          : withDocuments(
              before,
              [toSelectedDocument(document)],
              !before.documents.has(document.documentId),
            ),
      );
  };

  return {
    selected,
    count: countSelected(selected, deepCount),
    clear: () => setSelected(emptySelection),
    selectAll: () => {
      if (total > 0) setSelected({ ...emptySelection, all: { filter, total } });
    },
    select: (index, range, from) => {
      if (selected.all) toggleExcluded(index);
      else if (range) selectRange(Math.min(index, from), Math.max(index, from));
      else toggle(index);
    },
    deepCount,
    selectionForDrag: (index) => {
      const row = rows.rowAt(index);
      const document = rows.documentAt(index);
      const isSelection =
        row?.kind === "folder"
          ? isFolderSelected(selected, row.node.name)
          : document !== null &&
            isSelected(selected, document.documentId, flat ? undefined : row?.folder);
      if (isSelection) return { selected, isSelection };
      if (row?.kind === "folder")
        return { selected: withFolder(emptySelection, row.node.name, true), isSelection };
      return document && { selected: selectOnly(document), isSelection };
    },
  };
}
