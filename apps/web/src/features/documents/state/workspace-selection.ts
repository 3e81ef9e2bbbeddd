import type { WorkspaceDocumentStatus } from "@carrel/contracts";
import { useMutation } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { formatNumber } from "../../../lib/format.ts";
import { toast } from "../../../lib/toast.ts";
import { workspacePageQuery, type WorkspaceView } from "../api/library.ts";
import { maxRange } from "./library-selection.ts";
import {
  countSelected,
  emptySelection,
  toggleExclusion,
  withDocuments,
  type SelectedDocument,
  type SelectedDocuments,
} from "./selected-documents.ts";
import {
  fetchRows,
  useRowKeys,
  useVirtualRows,
  useVisiblePages,
  type PagedList,
  type RowKey,
  type VirtualRows,
  type VisiblePages,
} from "./virtual-rows.ts";

const rowHeight = 53;
const overscan = 8;

export interface WorkspaceRows {
  count: number;
  /** null until the first page is loaded. */
  total: number | null;
  /** Passages of all documents in the workspace; null until the first page is loaded. */
  passages: number | null;
  virtual: VirtualRows;
  /** React keys of `virtual.items`. */
  keys: RowKey[];
  /** null while loading. */
  documentAt: (index: number) => WorkspaceDocumentStatus | null;
  documentsBetween: (first: number, last: number) => Promise<WorkspaceDocumentStatus[]>;
  pages: VisiblePages<WorkspaceDocumentStatus>;
}

/** The rows of a workspace's documents, of which only those in view are loaded. */
export function useWorkspaceRows(
  slug: string,
  view: WorkspaceView,
  /** The scrolling element. */
  box: HTMLDivElement | null,
): WorkspaceRows {
  const list = useMemo<PagedList<WorkspaceDocumentStatus>>(
    () => ({
      key: JSON.stringify(view),
      page: (page) => workspacePageQuery(slug, view, page) as never,
    }),
    [slug, view],
  );
  const [count, setCount] = useState(0);
  const virtual = useVirtualRows(box, count, rowHeight, overscan);
  const pages = useVisiblePages([{ list, first: virtual.first, last: virtual.last }]);
  const total = pages.total(list.key);
  if (total !== null && total !== count) setCount(total);
  const documentAt = (index: number): WorkspaceDocumentStatus | null => pages.at(list.key, index);
  const keys = useRowKeys(virtual, (index) => documentAt(index)?.documentId ?? index);
  return {
    count,
    total,
    passages: pages.first<{ passages: number }>(list.key)?.passages ?? null,
    virtual,
    keys,
    documentAt,
    documentsBetween: (first, last) => fetchRows(list, first, last),
    pages,
  };
}

/** Up to this many rows, "Select all" selects the documents one by one. */
const maxRowsById = 200;
const maxRows = 10_000;

const toSelectedDocument = ({
  documentId,
  title,
  docpath,
  tags,
  state,
  hasOriginal,
  pinned,
}: WorkspaceDocumentStatus): SelectedDocument => ({
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

export const selectOnly = (document: WorkspaceDocumentStatus): SelectedDocuments =>
  withDocuments(emptySelection, [toSelectedDocument(document)], true);

export interface WorkspaceSelection {
  selected: SelectedDocuments;
  count: number;
  clear: () => void;
  selectAll: () => void;
  /** Selects or deselects a row; with `range`, selects all rows from `from` to it. */
  select: (index: number, range: boolean, from: number) => void;
}

interface RowRange {
  first: number;
  last: number;
  /** Whether to drop what was selected before. */
  replace: boolean;
}

export function useWorkspaceSelection(
  slug: string,
  rows: WorkspaceRows,
  view: WorkspaceView,
  /** Whether documents can be selected at all. */
  enabled: boolean,
): WorkspaceSelection {
  const { t } = useTranslation("documents-manager");
  const [selected, setSelected] = useState<SelectedDocuments>(emptySelection);
  // "All matching" means something else once the filter changes, so drop that selection.
  const [viewBefore, setViewBefore] = useState(view);
  if (view !== viewBefore) {
    setViewBefore(view);
    if (selected.all) setSelected(emptySelection);
  }

  const selectRows = useMutation({
    mutationFn: async ({ first, last, replace }: RowRange) => {
      const documents = await rows.documentsBetween(first, last);
      setSelected((before) =>
        withDocuments(replace ? emptySelection : before, documents.map(toSelectedDocument), true),
      );
    },
    meta: { errorToast: (message) => t("actionFailed", { message }) },
  });
  const selectAll = (): void => {
    if (!enabled || rows.count === 0) return;
    const { search, state, kinds, tags } = view;
    // The server's filter has no "pinned", and a page or two is better selected by ID.
    if (state === "pinned" || rows.count <= maxRowsById)
      selectRows.mutate({ first: 0, last: Math.min(rows.count, maxRows) - 1, replace: true });
    else
      setSelected({
        ...emptySelection,
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
  const select = (index: number, range: boolean, from: number): void => {
    if (!enabled) return;
    const document = rows.documentAt(index);
    if (selected.all) {
      setSelected((before) => {
        const next = document ? toggleExclusion(before, document.documentId, null) : before;
        return countSelected(next, noFolders) === 0 ? emptySelection : next;
      });
    } else if (range) {
      const [first, last] = index < from ? [index, from] : [from, index];
      if (last - first > maxRange)
        return toast.info(t("rangeTooLong", { text: formatNumber(maxRange) }));
      selectRows.mutate({ first, last, replace: false });
    } else if (document)
      setSelected((before) =>
        withDocuments(
          before,
          [toSelectedDocument(document)],
          !before.documents.has(document.documentId),
        ),
      );
  };
  return {
    selected,
    count: countSelected(selected, noFolders),
    clear: () => setSelected(emptySelection),
    selectAll,
    select,
  };
}
