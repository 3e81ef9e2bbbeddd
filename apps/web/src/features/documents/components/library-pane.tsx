import type { LibraryDocument, LibraryFilter } from "@carrel/contracts";
import { useQuery } from "@tanstack/react-query";
import { useVirtualizer, type Virtualizer } from "@tanstack/react-virtual";
import {
  Download,
  FolderInput,
  FolderPlus,
  ListPlus,
  RotateCcw,
  Search,
  Tag,
  Trash2,
} from "lucide-react";
import {
  useDeferredValue,
  useEffect,
  useMemo,
  useRef,
  useState,
  type DragEvent,
  type ReactNode,
} from "react";
import { useTranslation } from "react-i18next";
import { IconButton } from "../../../components/ui/icon-button.tsx";
import { Notice } from "../../../components/ui/notice.tsx";
import { formatNumber } from "../../../lib/format.ts";
import { createStore, useStore } from "../../../lib/store.ts";
import { toast } from "../../../lib/toast.ts";
import { addTo, foldersQuery, libraryPageQuery, reread, type Sorting } from "../api/library.ts";
import { errorMessage } from "../../../lib/error-message.ts";
import { act } from "../state/acts.ts";
import {
  chosenFolderOf,
  countChosen,
  goesWithFolder,
  holds,
  holdsFolder,
  isEmpty,
  isWhole,
  nothing,
  turnException,
  turnFolderException,
  withDocuments,
  withFolder,
  type Chosen,
  type ChosenDocument,
} from "../state/chosen.ts";
import { saveOriginals } from "../state/download.ts";
import { endDrag, startDrag } from "../state/dragged.ts";
import {
  parentOf,
  rootFolder,
  rowAt,
  rowOfFolder,
  rowsOf,
  type FolderNode,
  type TreeRow,
} from "../state/folder-tree.ts";
import { everything, isNarrowed, type Narrowing, type Shown } from "../state/narrowing.ts";
import { useRowKeys, withActive } from "../state/row-keys.ts";
import { drawnKeys, useIdentifiedRows, useRowSizes, type RowKey } from "../state/row-sizes.ts";
import { stage, stagedOf } from "../state/staged.ts";
import {
  fetchRows,
  usePagesInSight,
  type PagedList,
  type Wanted,
} from "../state/windowed-pages.ts";
import type { Ask } from "./act-dialogs.tsx";
import { BulkBar, type BulkAction } from "./bulk-bar.tsx";
import { Check } from "./check.tsx";
import { FilterPopover } from "./filter-popover.tsx";
import { FolderRow, isReadable, LibraryRow, type LibraryActs } from "./library-row.tsx";

/** Open folders, kept for as long as the app is loaded. */
const expandedFolders = createStore<ReadonlySet<string>>(new Set());
const setOpen = (folder: string, open: boolean): void =>
  expandedFolders.set((before) => {
    if (before.has(folder) === open) return before;
    const next = new Set(before);
    if (open) next.add(folder);
    else next.delete(folder);
    return next;
  });
export const openFolder = (folder: string): void => setOpen(folder, true);

const states: readonly Shown[] = ["waiting", "ready", "failed"];
const rowHeight = 32;
const overscan = 10;
/** The most rows a range selection may cover. */
const longestRange = 5000;
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

export interface LibraryPaneProps {
  slug: string;
  workspaceId: number | undefined;
  onOpen: (document: LibraryDocument) => void;
  onAsk: (ask: Ask) => void;
  /** The folder under the dragged items. */
  over: string | null;
  intake: ReactNode;
}

/**
 * My documents: a tree of folders, or a flat list while searching or filtering. Only rows in view
 * are kept in memory.
 */
export function LibraryPane({ slug, workspaceId, onOpen, onAsk, over, intake }: LibraryPaneProps) {
  const { t } = useTranslation("library");
  const [search, setSearch] = useState("");
  const [narrowing, setNarrowing] = useState<Narrowing>(everything);
  const [sorting, setSorting] = useState<Sorting>({ sort: "title", descending: false });
  const [chosen, setChosen] = useState<Chosen>(nothing);
  const term = useDeferredValue(search.trim());
  const expanded = useStore(expandedFolders, (value) => value);
  const folders = useQuery(foldersQuery);
  const tree = folders.data?.tree;
  const box = useRef<HTMLDivElement>(null);
  const scroller = useRef<Virtualizer<HTMLDivElement, Element> | null>(null);

  const flat = term !== "" || isNarrowed(narrowing);
  const filter = useMemo<Partial<LibraryFilter>>(
    () => ({
      ...(term === "" ? {} : { search: term }),
      ...(narrowing.kinds.length ? { kinds: narrowing.kinds } : {}),
      ...(narrowing.tags.length ? { tags: narrowing.tags } : {}),
      ...(narrowing.state && narrowing.state !== "pinned" ? { state: narrowing.state } : {}),
      ...(narrowing.missing ? { missingIn: slug } : {}),
    }),
    [term, narrowing, slug],
  );
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

  const rows = useMemo(
    () => (tree ? rowsOf(tree, expanded) : { segments: [], total: 0 }),
    [tree, expanded],
  );
  const [foundTotal, setFoundTotal] = useState(0);
  const count = flat ? foundTotal : rows.total;
  const activeRow = useRef(0);
  const sizes = useRowSizes();
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => box.current,
    estimateSize: () => rowHeight,
    getItemKey: sizes.getItemKey,
    overscan,
    rangeExtractor: (range) => withActive(range, activeRow.current),
  });
  scroller.current = virtual;
  const items = virtual.getVirtualItems();
  const place = (index: number): TreeRow | null =>
    flat ? { kind: "document", level: 0, folder: "", offset: index } : rowAt(rows, index);
  const inSight = items
    .map((item) => item.index)
    .filter(
      (index) =>
        index >= (virtual.range?.startIndex ?? 0) - overscan &&
        index <= (virtual.range?.endIndex ?? 0) + overscan,
    );
  const wanted: Wanted<LibraryDocument>[] = [];
  if (flat) wanted.push({ list: listOf(null), first: inSight[0] ?? 0, last: inSight.at(-1) ?? 0 });
  else
    for (const index of inSight) {
      const row = rowAt(rows, index);
      if (row?.kind !== "document") continue;
      const list = listOf(row.folder);
      const before = wanted.find((each) => each.list.key === list.key);
      if (before) before.last = row.offset;
      else wanted.push({ list, first: row.offset, last: row.offset });
    }
  const pages = usePagesInSight(wanted);
  const total = flat ? pages.total(listOf(null).key) : rows.total;
  useEffect(() => {
    if (flat && total !== null) setFoundTotal(total);
  }, [flat, total]);
  const documentAt = (index: number): LibraryDocument | null => {
    const row = place(index);
    return row?.kind === "document"
      ? pages.at(listOf(flat ? null : row.folder).key, row.offset)
      : null;
  };
  const keyOf = (index: number): RowKey => {
    const row = place(index);
    return row?.kind === "folder"
      ? `folder ${row.node.name}`
      : (documentAt(index)?.documentId ?? index);
  };
  const indexes = items.map((item) => item.index);
  useIdentifiedRows(sizes, keyOf, indexes);
  const rowKeys = drawnKeys(indexes, keyOf);

  const deep = (folder: string): number => tree?.byName.get(folder)?.deep ?? 0;
  const chosenCount = countChosen(chosen, deep);
  const all = folders.data?.documents ?? 0;
  const allCount = flat ? foundTotal : all;
  const clear = (): void => setChosen(nothing);
  const chooseAll = (): void => {
    if (allCount > 0) setChosen({ ...nothing, all: { filter, total: allCount } });
  };
  // "All matching" means something else once the filter changes, so drop that selection.
  useEffect(() => setChosen((before) => (before.all ? nothing : before)), [filter]);

  const ask = (kind: "move" | "tag" | "purge", what: Chosen): void => {
    const number = countChosen(what, deep);
    const only =
      what.all || what.folders.size > 0 || what.documents.size !== 1
        ? null
        : [...what.documents.values()][0]!.title;
    onAsk({ kind, chosen: what, count: number, title: only, done: clear });
  };
  const one = (document: LibraryDocument): Chosen =>
    withDocuments(nothing, [asChosen(document)], true);
  const stageChosen = (what: Chosen): void => {
    const waiting = stagedOf(what, deep, t("myDocuments"));
    if (Object.keys(waiting.documents).length + waiting.filters.length === 0)
      return toast.info(t("onlyFailed"));
    stage(slug, waiting);
  };

  const choose = async (index: number, range: boolean, from: number): Promise<void> => {
    if (chosen.all) {
      const row = place(index);
      const document = documentAt(index);
      const turn = (before: Chosen): Chosen =>
        row?.kind === "folder"
          ? turnFolderException(before, row.node.name)
          : document
            ? turnException(before, document.documentId, flat ? null : document.folder)
            : before;
      return setChosen((before) => {
        const next = turn(before);
        return countChosen(next, deep) === 0 ? nothing : next;
      });
    }
    if (range) {
      const [first, last] = index < from ? [index, from] : [from, index];
      if (last - first > longestRange)
        return toast.info(t("rangeTooLong", { text: formatNumber(longestRange) }));
      const documents = await documentsBetween(first, last);
      return setChosen((before) => withEach(before, first, last, documents));
    }
    const row = place(index);
    if (row?.kind === "folder")
      return setChosen((before) =>
        chosenFolderOf(before, parentOf(row.node.name))
          ? before
          : withFolder(before, row.node.name, !before.folders.has(row.node.name)),
      );
    const document = documentAt(index);
    if (document)
      setChosen((before) =>
        !flat && row?.kind === "document" && chosenFolderOf(before, row.folder)
          ? before
          : withDocuments(before, [asChosen(document)], !before.documents.has(document.documentId)),
      );
  };
  const documentsBetween = async (first: number, last: number): Promise<LibraryDocument[]> => {
    if (flat) return fetchRows(listOf(null), first, last);
    const found: LibraryDocument[] = [];
    for (const segment of rows.segments)
      if (
        segment.kind === "documents" &&
        segment.start <= last &&
        segment.start + segment.count > first
      )
        found.push(
          ...(await fetchRows(
            listOf(segment.folder),
            Math.max(0, first - segment.start),
            Math.min(segment.count - 1, last - segment.start),
          )),
        );
    return found;
  };
  /** Applies a range selection to rows `first` to `last`. */
  const withEach = (
    before: Chosen,
    first: number,
    last: number,
    documents: LibraryDocument[],
  ): Chosen => {
    let next = withDocuments(before, documents.map(asChosen), true);
    for (const segment of rows.segments)
      if (
        !flat &&
        segment.kind === "folder" &&
        segment.start >= first &&
        segment.start <= last &&
        !expanded.has(segment.node.name)
      )
        next = withFolder(next, segment.node.name, true);
    return next;
  };

  const keys = useRowKeys(count, box, scroller, rowHeight, {
    choose: (index, range, from) =>
      void choose(index, range, from).catch((error: unknown) =>
        toast.error(t("actFailed", { message: errorMessage(error) })),
      ),
    open: (index) => {
      const row = place(index);
      if (row?.kind === "folder") return setOpen(row.node.name, !expanded.has(row.node.name));
      const document = documentAt(index);
      if (document && isReadable(document)) onOpen(document);
    },
    remove: () => {
      if (!isEmpty(chosen)) return ask("purge", chosen);
      const row = place(activeRow.current);
      const document = documentAt(activeRow.current);
      if (row?.kind === "folder") onAsk({ kind: "remove-folder", folder: row.node });
      else if (document) ask("purge", one(document));
    },
    chooseAll,
    sideways: (index, forwards) => {
      const row = place(index);
      if (flat || !row) return null;
      if (row.kind === "folder" && forwards) {
        if (expanded.has(row.node.name)) return index + 1;
        setOpen(row.node.name, true);
        return null;
      }
      if (row.kind === "folder" && expanded.has(row.node.name)) {
        setOpen(row.node.name, false);
        return null;
      }
      const parent = rowOfFolder(
        rows,
        row.kind === "folder" ? parentOf(row.node.name) : row.folder,
      );
      return forwards || parent < 0 ? null : parent;
    },
  });
  activeRow.current = keys.active;

  // Keeps the callbacks' identity stable, so that memoized rows re-render only when they change.
  const latest = {
    keys,
    chosen,
    documentAt,
    place,
    one,
    ask,
    stageChosen,
    deep,
    onOpen,
    onAsk,
    flat,
  };
  const now = useRef(latest);
  now.current = latest;
  const acts = useMemo<LibraryActs>(
    () => ({
      toggle: (folder) => setOpen(folder, !expandedFolders.get().has(folder)),
      open: (document) => now.current.onOpen(document),
      add: (document) => void act("added", now.current.one(document), addTo(slug)),
      stage: (document) => now.current.stageChosen(now.current.one(document)),
      addFolder: (node) => now.current.stageChosen(withFolder(nothing, node.name, true)),
      move: (document) => now.current.ask("move", now.current.one(document)),
      tag: (document) => now.current.ask("tag", now.current.one(document)),
      download: (document) => void saveOriginals([document]),
      reread: (document) => void act("reread", now.current.one(document), reread),
      remove: (document) => now.current.ask("purge", now.current.one(document)),
      makeFolder: (parent) => {
        setOpen(parent.name, true);
        now.current.onAsk({ kind: "make-folder", parent });
      },
      renameFolder: (folder: FolderNode) => now.current.onAsk({ kind: "rename-folder", folder }),
      removeFolder: (folder: FolderNode) => now.current.onAsk({ kind: "remove-folder", folder }),
      click: (event, index) => now.current.keys.onRowClick(event, index),
      measure: (row) => scroller.current?.measureElement(row as HTMLDivElement | null),
      drag: (event: DragEvent<HTMLElement>, index) => {
        const {
          chosen: marked,
          place: at,
          documentAt: documentOf,
          one: only,
          deep: below,
          flat: isFlat,
        } = now.current;
        const row = at(index);
        const document = documentOf(index);
        const isMarked =
          row?.kind === "folder"
            ? holdsFolder(marked, row.node.name)
            : document !== null &&
              holds(marked, document.documentId, isFlat ? undefined : row?.folder);
        const what = isMarked
          ? marked
          : row?.kind === "folder"
            ? withFolder(nothing, row.node.name, true)
            : document
              ? only(document)
              : null;
        if (!what) return event.preventDefault();
        const number = countChosen(what, below);
        startDrag(event, {
          from: "library",
          chosen: what,
          count: number,
          deepCount: below,
          label: isMarked
            ? t("selected", { count: number, text: formatNumber(number) })
            : row?.kind === "folder"
              ? row.node.label
              : (document?.title ?? ""),
        });
      },
    }),
    [slug, t],
  );

  const allTicked = isWhole(chosen);
  const marked = [...chosen.documents.values()];
  const actions: BulkAction[] = [
    {
      label: t("moveToWorkspace"),
      icon: ListPlus,
      main: true,
      run: () => {
        stageChosen(chosen);
        clear();
      },
    },
    { label: t("move"), icon: FolderInput, run: () => ask("move", chosen) },
    { label: t("tag"), icon: Tag, run: () => ask("tag", chosen) },
    ...(narrowing.state === "failed" || marked.some((document) => document.failed)
      ? [
          {
            label: t("reread"),
            icon: RotateCcw,
            run: () =>
              void act("reread", chosen, reread).then((done) => {
                if (done) clear();
              }),
          },
        ]
      : []),
    ...(marked.length > 0 && chosen.all === null && chosen.folders.size === 0
      ? [
          {
            label: t("downloadMany", { count: marked.length }),
            icon: Download,
            run: () => void saveOriginals(marked),
          },
        ]
      : []),
    { label: t("removeSelected"), icon: Trash2, run: () => ask("purge", chosen) },
  ];
  const failure = folders.error ?? pages.error;
  const isNothing = folders.isSuccess && !flat && rows.total === 0;
  return (
    <section className="pane lib" aria-label={t("myDocuments")} data-zone="library">
      <div className="pane-head">
        <h2>{t("myDocuments")}</h2>
        <span className="t3 num">{folders.data ? formatNumber(all) : ""}</span>
        <span className="grow" />
        <label className="field-sm doc-search">
          <Search className="i sm" aria-hidden="true" />
          <input
            type="search"
            value={search}
            maxLength={200}
            placeholder={t("search")}
            aria-label={t("searchLibrary")}
            onChange={(event) => setSearch(event.target.value)}
          />
        </label>
        <FilterPopover
          value={narrowing}
          states={states}
          canMiss
          tags={folders.data?.tags ?? []}
          sorting={sorting}
          onChange={setNarrowing}
          onSort={setSorting}
        />
        <IconButton
          label={t("newFolder")}
          onClick={() => onAsk({ kind: "make-folder", parent: null })}
        >
          <FolderPlus className="i" />
        </IconButton>
      </div>
      {failure && (
        <div className="px-4 pb-3">
          <Notice
            kind="bad"
            action={
              <button
                type="button"
                className="btn sm"
                onClick={() => {
                  void folders.refetch();
                  pages.retry();
                }}
              >
                {t("tryAgain")}
              </button>
            }
          >
            <p>
              <b>{t("loadFailed")}</b>
            </p>
            <p>{errorMessage(failure)}</p>
          </Notice>
        </div>
      )}
      {count > 0 && (
        <div className="lib-all">
          <label className="tag-choice">
            <Check
              mixed={!allTicked && chosenCount > 0}
              checked={allTicked}
              onChange={() => (allTicked ? clear() : chooseAll())}
            />
            {allTicked ? t("deselectAll") : t("selectAll")}
          </label>
          {flat && (
            <span className="t3 num xs" role="status">
              {t("found", { count: foundTotal, text: formatNumber(foundTotal) })}
            </span>
          )}
          {flat && (
            <button
              type="button"
              className="link xs"
              onClick={() => {
                setSearch("");
                setNarrowing(everything);
              }}
            >
              {t("resetFilter")}
            </button>
          )}
        </div>
      )}
      <div className="rows" ref={box} tabIndex={-1}>
        {count > 0 && (
          <div
            className={isEmpty(chosen) ? "tree" : "tree is-choosing"}
            role="tree"
            aria-multiselectable="true"
            aria-label={flat ? t("rowsFound") : t("tree")}
            style={{ blockSize: virtual.getTotalSize() }}
            onKeyDown={keys.onKeyDown}
            onFocus={keys.onFocus}
            onDragEnd={endDrag}
          >
            {items.map(({ index, start }, n) => {
              const row = place(index);
              const key = rowKeys[n];
              const active = index === keys.active;
              if (row?.kind === "folder") {
                const within = goesWithFolder(chosen, parentOf(row.node.name));
                return (
                  <FolderRow
                    key={key}
                    node={row.node}
                    open={expanded.has(row.node.name)}
                    index={index}
                    top={start}
                    level={row.level}
                    active={active}
                    ticked={holdsFolder(chosen, row.node.name)}
                    within={within}
                    over={over === row.node.name}
                    acts={acts}
                  />
                );
              }
              const document = documentAt(index);
              const folder = document?.folder ?? row?.folder ?? rootFolder;
              const within = !flat && goesWithFolder(chosen, folder);
              return (
                <LibraryRow
                  key={key}
                  document={document}
                  folder={folder}
                  here={
                    workspaceId !== undefined &&
                    (document?.workspaces.includes(workspaceId) ?? false)
                  }
                  flat={flat}
                  index={index}
                  top={start}
                  level={row?.level ?? 0}
                  active={active}
                  ticked={
                    document === null
                      ? flat
                        ? allTicked
                        : holdsFolder(chosen, folder)
                      : holds(chosen, document.documentId, flat ? undefined : folder)
                  }
                  within={within}
                  over={false}
                  acts={acts}
                />
              );
            })}
          </div>
        )}
        {folders.isPending && (
          <div className="grid gap-4 p-4" aria-label={t("loading")}>
            {[62, 48, 70, 55].map((width) => (
              <span className="skel" key={width} style={{ inlineSize: `${width}%` }} />
            ))}
          </div>
        )}
        {flat && total === 0 && (
          <p className="t3 p-4">
            {t("nothingFound")}{" "}
            <button
              type="button"
              className="link"
              onClick={() => {
                setSearch("");
                setNarrowing(everything);
              }}
            >
              {t("resetFilter")}
            </button>
          </p>
        )}
        {isNothing && <p className="t2 p-4">{t("empty")}</p>}
        {chosenCount > 0 && <div className="bulk-room" />}
      </div>
      {!isEmpty(chosen) && (
        <div className="bulk-place">
          <BulkBar count={chosenCount} actions={actions} onClear={clear} />
        </div>
      )}
      {intake}
    </section>
  );
}
