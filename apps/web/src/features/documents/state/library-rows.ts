import type { LibraryDocument, LibraryFilter } from "@carrel/contracts";
import { useMemo, useState } from "react";
import { createStore, useStore } from "../../../lib/store.ts";
import { libraryPageQuery, type Sorting } from "../api/library.ts";
import { rowAt, rowsOf, type FolderTree, type TreeRow, type TreeRows } from "./folder-tree.ts";
import {
  fetchRows,
  useRowKeys,
  useVirtualRows,
  useVisiblePages,
  type PagedList,
  type RowKey,
  type RowRange,
  type VirtualRows,
  type VisiblePages,
} from "./virtual-rows.ts";

/** Open folders, kept for as long as the app is loaded. */
const expandedFolders = createStore<ReadonlySet<string>>(new Set());

const useExpandedFolders = (): ReadonlySet<string> =>
  useStore(expandedFolders, (folders) => folders);

export const setExpanded = (folder: string, open: boolean): void =>
  expandedFolders.set((before) => {
    if (before.has(folder) === open) return before;
    const next = new Set(before);
    if (open) next.add(folder);
    else next.delete(folder);
    return next;
  });

export const toggleFolder = (folder: string): void =>
  setExpanded(folder, !expandedFolders.get().has(folder));

const rowHeight = 32;
const overscan = 10;
const noRows: TreeRows = { segments: [], total: 0 };

export interface LibraryRows {
  /** A flat list of results rather than the tree. */
  flat: boolean;
  tree: TreeRows;
  folders: FolderTree | undefined;
  expanded: ReadonlySet<string>;
  count: number;
  /** Documents that match the filter; only known while the list is flat. */
  found: number;
  /** Whether the flat list has loaded and is empty. */
  foundNothing: boolean;
  virtual: VirtualRows;
  /** React keys of `virtual.items`. */
  keys: RowKey[];
  rowAt: (index: number) => TreeRow | null;
  /** null while loading, and for folders. */
  documentAt: (index: number) => LibraryDocument | null;
  documentsBetween: (first: number, last: number) => Promise<LibraryDocument[]>;
  pages: VisiblePages<LibraryDocument>;
}

/** The rows of My documents, of which only those in view are loaded. */
export function useLibraryRows({
  box,
  tree: folders,
  filter,
  flat,
  sorting,
}: {
  /** The scrolling element. */
  box: HTMLDivElement | null;
  tree: FolderTree | undefined;
  filter: Partial<LibraryFilter>;
  flat: boolean;
  sorting: Sorting;
}): LibraryRows {
  const expanded = useExpandedFolders();
  const listOf = useMemo(() => {
    const order = `${sorting.sort}${sorting.descending}`;
    const found: PagedList<LibraryDocument> = {
      key: JSON.stringify([filter, order]),
      page: (page) => libraryPageQuery(filter, sorting, page) as never,
    };
    return (folder: string | null): PagedList<LibraryDocument> =>
      folder === null
        ? found
        : {
            key: `${order} ${folder}`,
            page: (page) => libraryPageQuery({ folder }, sorting, page) as never,
          };
  }, [filter, sorting]);
  const tree = useMemo(() => (folders ? rowsOf(folders, expanded) : noRows), [folders, expanded]);
  const [found, setFound] = useState(0);
  const count = flat ? found : tree.total;
  const virtual = useVirtualRows(box, count, rowHeight, overscan);
  const pages = useVisiblePages(
    flat
      ? [{ list: listOf(null), first: virtual.first, last: virtual.last }]
      : visibleRanges(tree, virtual, listOf),
  );
  const total = flat ? pages.total(listOf(null).key) : null;
  if (total !== null && total !== found) setFound(total);

  const place = (index: number): TreeRow | null =>
    flat ? { kind: "document", level: 0, folder: "", offset: index } : rowAt(tree, index);
  const documentAt = (index: number): LibraryDocument | null => {
    const row = place(index);
    return row?.kind === "document"
      ? pages.at(listOf(flat ? null : row.folder).key, row.offset)
      : null;
  };
  const keys = useRowKeys(virtual, (index) => {
    const row = place(index);
    return row?.kind === "folder"
      ? `folder ${row.node.name}`
      : (documentAt(index)?.documentId ?? index);
  });
  const documentsBetween = async (first: number, last: number): Promise<LibraryDocument[]> => {
    if (flat) return fetchRows(listOf(null), first, last);
    const documents: LibraryDocument[] = [];
    for (const segment of tree.segments) {
      if (segment.kind !== "documents") continue;
      if (segment.start > last || segment.start + segment.count <= first) continue;
      documents.push(
        ...(await fetchRows(
          listOf(segment.folder),
          Math.max(0, first - segment.start),
          Math.min(segment.count - 1, last - segment.start),
        )),
      );
    }
    return documents;
  };
  return {
    flat,
    tree,
    folders,
    expanded,
    count,
    found,
    foundNothing: total === 0,
    virtual,
    keys,
    rowAt: place,
    documentAt,
    documentsBetween,
    pages,
  };
}

export const isReadable = (document: LibraryDocument): boolean => document.state === "parsed";

/** The document rows to load, one run per folder. */
function visibleRanges(
  tree: TreeRows,
  { first, last }: VirtualRows,
  listOf: (folder: string) => PagedList<LibraryDocument>,
): RowRange<LibraryDocument>[] {
  const ranges: RowRange<LibraryDocument>[] = [];
  for (let index = first; index <= last; index += 1) {
    const row = rowAt(tree, index);
    if (row?.kind !== "document") continue;
    const list = listOf(row.folder);
    const known = ranges.find((each) => each.list.key === list.key);
    if (known) known.last = row.offset;
    else ranges.push({ list, first: row.offset, last: row.offset });
  }
  return ranges;
}
