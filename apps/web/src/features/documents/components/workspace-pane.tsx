import type { WorkspaceDocumentStatus } from "@carrel/contracts";
import { useVirtualizer, type Virtualizer } from "@tanstack/react-virtual";
import { useQuery } from "@tanstack/react-query";
import {
  ArrowDown,
  ArrowUp,
  Download,
  FolderInput,
  Pin,
  PinOff,
  RefreshCw,
  Search,
  Tag,
  Trash2,
} from "lucide-react";
import { useDeferredValue, useEffect, useMemo, useRef, useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { ConfirmDialog } from "../../../components/ui/dialogs.tsx";
import { Notice } from "../../../components/ui/notice.tsx";
import { formatNumber } from "../../../lib/format.ts";
import { toast } from "../../../lib/toast.ts";
import { takeOut, tryAgain } from "../api/documents.ts";
import {
  embedAgainIn,
  foldersQuery,
  pinIn,
  stopEmbedding,
  workspacePageQuery,
  type Sorting,
  type WorkspaceView,
} from "../api/library.ts";
import { errorMessage } from "../../../lib/error-message.ts";
import { act } from "../state/acts.ts";
import { refreshDocumentLists } from "../state/refresh.ts";
import {
  countChosen,
  holds,
  isEmpty,
  nothing,
  turnException,
  withDocuments,
  type Chosen,
  type ChosenDocument,
} from "../state/chosen.ts";
import { saveOriginals } from "../state/download.ts";
import { endDrag, startDrag } from "../state/dragged.ts";
import { isExplained } from "../state/explained.ts";
import { useProgress } from "../state/progress.ts";
import { everything, isNarrowed, type Narrowing, type Shown } from "../state/narrowing.ts";
import { useRowKeys, withActive } from "../state/row-keys.ts";
import { drawnKeys, useIdentifiedRows, useRowSizes, type RowKey } from "../state/row-sizes.ts";
import { fetchRows, usePagesInSight, type PagedList } from "../state/windowed-pages.ts";
import type { Ask } from "./act-dialogs.tsx";
import { BulkBar, type BulkAction } from "./bulk-bar.tsx";
import { Check } from "./check.tsx";
import { DocumentRow, isReadable, type RowActions } from "./document-row.tsx";
import { FilterPopover } from "./filter-popover.tsx";
import { StagedBar } from "./staged-bar.tsx";
import { UploadRows } from "./upload-rows.tsx";

const states: readonly Shown[] = ["waiting", "ready", "failed", "pinned"];
const overscan = 8;
const rowHeight = 53;
const longestRange = 5000;
const none = (): number => 0;
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

export interface WorkspacePaneProps {
  slug: string;
  name: string;
  /** null while loading. */
  count: { documents: number; failed: number } | null;
  /** Whether the user may change documents. */
  manager: boolean;
  /** Has room for the full manager: selecting, moving, tagging. */
  whole: boolean;
  onOpen: (document: WorkspaceDocumentStatus) => void;
  onAsk: (ask: Ask) => void;
  onActivity: () => void;
  /** Shown below the list. */
  intake?: ReactNode;
}

/** A workspace's documents, their state and the actions on them. */
export function WorkspacePane({
  slug,
  name,
  count,
  manager,
  whole,
  onOpen,
  onAsk,
  onActivity,
  intake,
}: WorkspacePaneProps) {
  const { t } = useTranslation(["documents", "library"]);
  const [search, setSearch] = useState("");
  const [narrowing, setNarrowing] = useState<Narrowing>(everything);
  const [sorting, setSorting] = useState<Sorting>({ sort: "added", descending: true });
  const [chosen, setChosen] = useState<Chosen>(nothing);
  const [removing, setRemoving] = useState<WorkspaceDocumentStatus | null>(null);
  const term = useDeferredValue(search.trim());
  const picks = manager && whole;
  useProgress(slug, manager);

  const view = useMemo<WorkspaceView>(
    () => ({
      search: term,
      state: narrowing.state,
      kinds: narrowing.kinds,
      tags: narrowing.tags,
      ...sorting,
    }),
    [term, narrowing, sorting],
  );
  const list = useMemo<PagedList<WorkspaceDocumentStatus>>(
    () => ({
      key: JSON.stringify(view),
      page: (page) => workspacePageQuery(slug, view, page) as never,
    }),
    [slug, view],
  );
  const box = useRef<HTMLDivElement>(null);
  const scroller = useRef<Virtualizer<HTMLDivElement, Element> | null>(null);
  const activeRow = useRef(0);
  const [rowCount, setRowCount] = useState(0);
  const sizes = useRowSizes();
  const virtual = useVirtualizer({
    count: rowCount,
    getScrollElement: () => box.current,
    estimateSize: () => rowHeight,
    getItemKey: sizes.getItemKey,
    overscan,
    rangeExtractor: (range) => withActive(range, activeRow.current),
  });
  scroller.current = virtual;
  const items = virtual.getVirtualItems();
  const pages = usePagesInSight([
    {
      list,
      first: Math.max(0, (virtual.range?.startIndex ?? 0) - overscan),
      last: Math.max(0, Math.min(rowCount - 1, (virtual.range?.endIndex ?? 0) + overscan)),
    },
  ]);
  const total = pages.total(list.key);
  const passages = pages.first<{ passages: number }>(list.key)?.passages ?? null;
  useEffect(() => {
    if (total !== null) setRowCount(total);
  }, [total]);
  useEffect(() => setChosen((before) => (before.all ? nothing : before)), [view]);
  const documentAt = (index: number): WorkspaceDocumentStatus | null => pages.at(list.key, index);
  const keyOf = (index: number): RowKey => documentAt(index)?.documentId ?? index;
  const indexes = items.map((item) => item.index);
  useIdentifiedRows(sizes, keyOf, indexes);
  const rowKeys = drawnKeys(indexes, keyOf);
  // Without the library there is no list of all tags, so offer those of the visible documents.
  const library = useQuery({ ...foldersQuery, enabled: picks }).data?.tags;
  const tags =
    library ?? [...new Set(indexes.flatMap((index) => documentAt(index)?.tags ?? []))].sort();

  const number = countChosen(chosen, none);
  const clear = (): void => setChosen(nothing);
  const failed = (error: unknown): void =>
    toast.error(t("library:actFailed", { message: errorMessage(error) }));
  const chooseAll = async (): Promise<void> => {
    if (!picks || rowCount === 0) return;
    // The server's filter has no "pinned", and a page or two is better selected by ID.
    if (narrowing.state === "pinned" || rowCount <= 200)
      setChosen(
        withDocuments(
          nothing,
          (await fetchRows(list, 0, Math.min(rowCount, 10_000) - 1)).map(asChosen),
          true,
        ),
      );
    else
      setChosen({
        ...nothing,
        all: {
          filter: {
            heldIn: slug,
            ...(term === "" ? {} : { search: term }),
            ...(narrowing.state ? { state: narrowing.state } : {}),
            kinds: narrowing.kinds,
            tags: narrowing.tags,
          },
          total: rowCount,
        },
      });
  };
  const choose = async (index: number, range: boolean, from: number): Promise<void> => {
    if (!picks) return;
    if (chosen.all) {
      const left = documentAt(index);
      return setChosen((before) => {
        const next = left ? turnException(before, left.documentId, null) : before;
        return countChosen(next, none) === 0 ? nothing : next;
      });
    }
    if (range) {
      const [first, last] = index < from ? [index, from] : [from, index];
      if (last - first > longestRange)
        return toast.info(t("library:rangeTooLong", { text: formatNumber(longestRange) }));
      const documents = await fetchRows(list, first, last);
      return setChosen((before) => withDocuments(before, documents.map(asChosen), true));
    }
    const document = documentAt(index);
    if (document)
      setChosen((before) =>
        withDocuments(before, [asChosen(document)], !before.documents.has(document.documentId)),
      );
  };
  const one = (document: WorkspaceDocumentStatus): Chosen =>
    withDocuments(nothing, [asChosen(document)], true);
  const ask = (kind: "move" | "tag" | "take-out", what: Chosen): void =>
    onAsk({
      kind,
      chosen: what,
      count: countChosen(what, none),
      title: what.documents.size === 1 ? [...what.documents.values()][0]!.title : null,
      done: clear,
    });
  const pin = async (what: Chosen, pinned: boolean): Promise<void> => {
    if (!(await act(pinned ? "pinned" : "unpinned", what, pinIn(slug, pinned)))) return;
    if (pinned && !isExplained("pin")) onAsk({ kind: "explain", what: "pin" });
  };

  const keys = useRowKeys(rowCount, box, scroller, rowHeight, {
    choose: (index, range, from) => void choose(index, range, from).catch(failed),
    open: (index) => {
      const document = documentAt(index);
      if (document && isReadable(document)) onOpen(document);
    },
    remove: () => {
      const document = documentAt(activeRow.current);
      if (!manager) return;
      if (!isEmpty(chosen)) ask("take-out", chosen);
      else if (document) now.current.remove(document);
    },
    chooseAll: () => void chooseAll().catch(failed),
  });
  activeRow.current = keys.active;
  const remove = (document: WorkspaceDocumentStatus): void =>
    document.state === "failed" || !whole ? setRemoving(document) : ask("take-out", one(document));
  const latest = { keys, chosen, documentAt, one, ask, pin, remove, onAsk, onOpen };
  const now = useRef(latest);
  now.current = latest;
  const actions = useMemo<RowActions>(
    () => ({
      open: (document) => now.current.onOpen(document),
      click: (event, index) => now.current.keys.onRowClick(event, index),
      drag: (event, index) => {
        const document = now.current.documentAt(index);
        if (!document) return event.preventDefault();
        const marked = holds(now.current.chosen, document.documentId);
        const what = marked ? now.current.chosen : now.current.one(document);
        const many = countChosen(what, none);
        startDrag(event, {
          from: "workspace",
          chosen: what,
          count: many,
          deepCount: none,
          label: marked
            ? t("library:selected", { count: many, text: formatNumber(many) })
            : document.title,
        });
      },
      explainWatching: () => now.current.onAsk({ kind: "explain", what: "watch" }),
      change: manager
        ? {
            remove: (document) => now.current.remove(document),
            retry: (document) =>
              void tryAgain(slug, document)
                .catch((error: unknown) =>
                  toast.error(t("library:workspace.retryFailed", { message: errorMessage(error) })),
                )
                .finally(refreshDocumentLists),
            stop: (document) =>
              void stopEmbedding(slug, document)
                .then(() => toast.success(t("library:stopped", { name: document.title })))
                .catch((error: unknown) =>
                  toast.error(t("library:actFailed", { message: errorMessage(error) })),
                )
                .finally(refreshDocumentLists),
            pin: (document) => void now.current.pin(now.current.one(document), !document.pinned),
            again: (document) =>
              void act("embedding", now.current.one(document), embedAgainIn(slug)),
            move: (document) => now.current.ask("move", now.current.one(document)),
            tag: (document) => now.current.ask("tag", now.current.one(document)),
            download: (document) => void saveOriginals([document]),
          }
        : null,
    }),
    [manager, slug, t],
  );

  const marked = [...chosen.documents.values()];
  const allPinned = marked.length > 0 && marked.every((document) => document.pinned);
  const bulk: BulkAction[] = [
    {
      label: allPinned ? t("library:unpin") : t("library:pin"),
      icon: allPinned ? PinOff : Pin,
      main: true,
      run: () => void pin(chosen, !allPinned),
    },
    {
      label: t("library:embedAgain"),
      icon: RefreshCw,
      main: true,
      run: () => void act("embedding", chosen, embedAgainIn(slug)),
    },
    { label: t("library:move"), icon: FolderInput, main: true, run: () => ask("move", chosen) },
    { label: t("library:tag"), icon: Tag, run: () => ask("tag", chosen) },
    ...(chosen.all === null
      ? [
          {
            label: t("library:downloadMany", { count: marked.length }),
            icon: Download,
            run: () => void saveOriginals(marked),
          },
        ]
      : []),
    { label: t("library:takeOut"), icon: Trash2, main: true, run: () => ask("take-out", chosen) },
  ];
  const narrowed = term !== "" || isNarrowed(narrowing);
  const showAll = (): void => {
    setSearch("");
    setNarrowing(everything);
  };
  const sortBy = (sort: Sorting["sort"], first: boolean): void =>
    setSorting((before) => ({
      sort,
      descending: before.sort === sort ? !before.descending : first,
    }));
  const arrow = (sort: Sorting["sort"]): ReactNode =>
    sorting.sort === sort &&
    (sorting.descending ? (
      <ArrowDown className="i sm" aria-hidden="true" />
    ) : (
      <ArrowUp className="i sm" aria-hidden="true" />
    ));
  const sorted = (sort: Sorting["sort"]): "ascending" | "descending" | "none" =>
    sorting.sort !== sort ? "none" : sorting.descending ? "descending" : "ascending";
  return (
    <section
      className="pane wsp grow"
      aria-label={t("library:workspace.inWorkspace", { name })}
      data-zone="workspace"
    >
      <div className="pane-head">
        <h2 className="desk-only">{t("library:workspace.inThisWorkspace")}</h2>
        {total !== null && count && (
          <span className="t3 num desk-only cut">
            {narrowed ? (
              t("library:workspace.found", { count: total })
            ) : (
              <>
                {t("library:workspace.documents", { count: count.documents })}
                {count.failed > 0 &&
                  `, ${t("library:workspace.failedDocuments", { count: count.failed })}`}
              </>
            )}
            {passages !== null && (
              <>
                {" "}
                ·{" "}
                {t("library:workspace.passages", { count: passages, text: formatNumber(passages) })}
              </>
            )}
          </span>
        )}
        {narrowed && total !== null && total > 0 && (
          <button type="button" className="link xs desk-only" onClick={showAll}>
            {t("library:resetFilter")}
          </button>
        )}
        <span className="grow" />
        <label className="field-sm doc-search">
          <Search className="i sm" aria-hidden="true" />
          <input
            type="search"
            value={search}
            maxLength={200}
            placeholder={t("library:workspace.search")}
            aria-label={t("library:workspace.searchLabel")}
            onChange={(event) => setSearch(event.target.value)}
          />
        </label>
        <FilterPopover
          value={narrowing}
          states={states}
          tags={tags}
          sorting={sorting}
          onChange={setNarrowing}
          onSort={setSorting}
        />
      </div>
      {picks && <StagedBar slug={slug} />}
      {pages.error && (
        <div className="px-4 pb-3">
          <Notice
            kind="bad"
            action={
              <button type="button" className="btn sm" onClick={pages.retry}>
                {t("tryAgain")}
              </button>
            }
          >
            <p>
              <b>{t("library:workspace.listFailed")}</b>
            </p>
            <p>{errorMessage(pages.error)}</p>
          </Notice>
        </div>
      )}
      <div className="rows" ref={box} tabIndex={-1}>
        <div
          className={picks ? "dt picks" : "dt"}
          role="grid"
          aria-label={t("library:workspace.inWorkspace", { name })}
          aria-rowcount={rowCount + 1}
          {...(picks ? { "aria-multiselectable": true } : {})}
          onKeyDown={keys.onKeyDown}
          onFocus={keys.onFocus}
          onDragEnd={endDrag}
        >
          <div role="rowgroup">
            <div className="dhead" role="row" aria-rowindex={1}>
              {picks && (
                <span className="ck" role="columnheader">
                  <Check
                    mixed={number > 0 && number < rowCount}
                    checked={number > 0 && number >= rowCount}
                    disabled={rowCount === 0}
                    aria-label={
                      number > 0 && number >= rowCount
                        ? t("library:deselectAll")
                        : t("library:selectAll")
                    }
                    onChange={() => (number >= rowCount ? clear() : void chooseAll().catch(failed))}
                  />
                </span>
              )}
              <span role="columnheader">
                <span className="vh">{t("library:workspace.columnType")}</span>
              </span>
              <span role="columnheader" aria-sort={sorted("title")}>
                <button type="button" className="sorter" onClick={() => sortBy("title", false)}>
                  {t("library:workspace.columnName")}
                  {arrow("title")}
                </button>
              </span>
              <span role="columnheader">{t("library:workspace.columnStatus")}</span>
              <span role="columnheader" aria-sort={sorted("added")}>
                <button type="button" className="sorter" onClick={() => sortBy("added", true)}>
                  {t("library:workspace.columnAdded")}
                  {arrow("added")}
                </button>
              </span>
              <span role="columnheader">
                <span className="vh">{t("library:workspace.columnActions")}</span>
              </span>
            </div>
          </div>
          <div role="rowgroup">
            <UploadRows
              slug={slug}
              kind="rows"
              picks={picks}
              onMore={onActivity}
              recorded={items.flatMap(({ index }) => {
                const document = documentAt(index);
                return document?.state === "failed" ? [document.title] : [];
              })}
            />
          </div>
          <div role="rowgroup" className="relative" style={{ blockSize: virtual.getTotalSize() }}>
            {items.map(({ index, start }, n) => {
              const document = documentAt(index);
              return (
                <div
                  key={rowKeys[n]}
                  role="presentation"
                  data-index={index}
                  ref={virtual.measureElement}
                  className="absolute inset-x-0 top-0"
                  style={{ transform: `translateY(${start}px)` }}
                >
                  <DocumentRow
                    document={document}
                    index={index}
                    picks={picks}
                    active={index === keys.active}
                    ticked={document !== null && holds(chosen, document.documentId)}
                    actions={actions}
                  />
                </div>
              );
            })}
          </div>
        </div>
        {total === null && pages.pending && (
          <div className="grid gap-4 p-4" aria-label={t("library:workspace.loading")}>
            {[72, 54, 63].map((width) => (
              <span className="skel" key={width} style={{ inlineSize: `${width}%` }} />
            ))}
          </div>
        )}
        {total === 0 && narrowed && (
          <p className="t3 p-4">
            {term === ""
              ? t("library:nothingFound")
              : t("library:workspace.nothingFound", { term })}{" "}
            <button type="button" className="link" onClick={showAll}>
              {t("library:resetFilter")}
            </button>
          </p>
        )}
        {total === 0 && !narrowed && (
          <p className="t2 p-4">
            {manager ? t("library:workspace.empty") : t("library:workspace.emptyMember")}
          </p>
        )}
        {number > 0 && <div className="bulk-room" />}
      </div>
      {picks && number > 0 && <BulkBar count={number} actions={bulk} onClear={clear} />}
      {intake}
      {removing && (
        <ConfirmDialog
          open
          title={t("library:workspace.removeTitle", { title: removing.title })}
          text={t("library:workspace.removeText")}
          action={t("library:workspace.remove")}
          onClose={() => setRemoving(null)}
          onConfirm={async () => {
            try {
              await takeOut(slug, removing);
              toast.success(t("library:workspace.removed", { title: removing.title }));
            } catch (error) {
              toast.error(t("library:workspace.removeFailed", { message: errorMessage(error) }));
            }
            refreshDocumentLists();
          }}
        />
      )}
    </section>
  );
}
