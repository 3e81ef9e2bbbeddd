import type { WorkspaceDocumentStatus } from "@carrel/contracts";
import { useMemo, useState } from "react";
import { workspacePageQuery, type WorkspaceView } from "../api/library.ts";
import type { RowKey } from "./row-sizes.ts";
import { useRowKeys, useVirtualRows, type VirtualRows } from "./virtual-rows.ts";
import { fetchRows, useVisiblePages, type PagedList, type VisiblePages } from "./visible-pages.ts";

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
