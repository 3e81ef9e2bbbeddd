import type { LibraryDocument, LibraryFilter } from "@carrel/contracts";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { formatNumber } from "../../../lib/format.ts";
import { toast } from "../../../lib/toast.ts";
import {
  chosenFolderOf,
  countChosen,
  holds,
  holdsFolder,
  nothing,
  turnException,
  turnFolderException,
  withDocuments,
  withFolder,
  type Chosen,
  type ChosenDocument,
} from "./chosen.ts";
import { parentOf, type FolderTree } from "./folder-tree.ts";
import type { LibraryRows } from "./library-rows.ts";

/** The most rows a range selection may cover. */
export const longestRange = 5000;

const asChosen = ({
  documentId,
  title,
  docpath,
  tags,
  state,
  hasOriginal,
}: LibraryDocument): ChosenDocument => ({
  documentId,
  title,
  docpath,
  tags,
  failed: state === "failed",
  hasOriginal,
  pinned: false,
});

export interface LibrarySelection {
  chosen: Chosen;
  count: number;
  clear: () => void;
  chooseAll: () => void;
  /** Selects or deselects a row; with `range`, selects all rows from `from` to it. */
  choose: (index: number, range: boolean, from: number) => Promise<void>;
  /** Documents in a folder and its subfolders. */
  deepCount: (folder: string) => number;
  /** The selection if this row is part of it, otherwise the row alone; null while it loads. */
  around: (index: number) => { chosen: Chosen; isSelection: boolean } | null;
}

export const only = (document: LibraryDocument): Chosen =>
  withDocuments(nothing, [asChosen(document)], true);

export function useLibrarySelection(
  rows: LibraryRows,
  folders: FolderTree | undefined,
  filter: Partial<LibraryFilter>,
  /** Documents in the whole list. */
  total: number,
): LibrarySelection {
  const { t } = useTranslation("library");
  const [chosen, setChosen] = useState<Chosen>(nothing);
  const { flat } = rows;
  const deepCount = (folder: string): number => folders?.byName.get(folder)?.deep ?? 0;
  // "All matching" means something else once the filter changes, so drop that selection.
  const [filterBefore, setFilterBefore] = useState(filter);
  if (filter !== filterBefore) {
    setFilterBefore(filter);
    if (chosen.all) setChosen(nothing);
  }

  const toggleException = (index: number): void => {
    const row = rows.rowAt(index);
    const document = rows.documentAt(index);
    const toggled = (before: Chosen): Chosen =>
      row?.kind === "folder"
        ? turnFolderException(before, row.node.name)
        : document
          ? turnException(before, document.documentId, flat ? null : document.folder)
          : before;
    setChosen((before) => {
      const next = toggled(before);
      return countChosen(next, deepCount) === 0 ? nothing : next;
    });
  };
  const selectRange = async (first: number, last: number): Promise<void> => {
    if (last - first > longestRange)
      return toast.info(t("rangeTooLong", { text: formatNumber(longestRange) }));
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
    setChosen((before) =>
      closedFolders.reduce(
        (next, folder) => withFolder(next, folder, true),
        withDocuments(before, documents.map(asChosen), true),
      ),
    );
  };
  const toggle = (index: number): void => {
    const row = rows.rowAt(index);
    if (row?.kind === "folder")
      return setChosen((before) =>
        chosenFolderOf(before, parentOf(row.node.name))
          ? before
          : withFolder(before, row.node.name, !before.folders.has(row.node.name)),
      );
    const document = rows.documentAt(index);
    if (document)
      setChosen((before) =>
        !flat && row && chosenFolderOf(before, row.folder)
          ? before
          : withDocuments(before, [asChosen(document)], !before.documents.has(document.documentId)),
      );
  };

  return {
    chosen,
    count: countChosen(chosen, deepCount),
    clear: () => setChosen(nothing),
    chooseAll: () => {
      if (total > 0) setChosen({ ...nothing, all: { filter, total } });
    },
    choose: async (index, range, from) => {
      if (chosen.all) toggleException(index);
      else if (range) await selectRange(Math.min(index, from), Math.max(index, from));
      else toggle(index);
    },
    deepCount,
    around: (index) => {
      const row = rows.rowAt(index);
      const document = rows.documentAt(index);
      const isSelection =
        row?.kind === "folder"
          ? holdsFolder(chosen, row.node.name)
          : document !== null && holds(chosen, document.documentId, flat ? undefined : row?.folder);
      if (isSelection) return { chosen, isSelection };
      if (row?.kind === "folder")
        return { chosen: withFolder(nothing, row.node.name, true), isSelection };
      return document && { chosen: only(document), isSelection };
    },
  };
}
