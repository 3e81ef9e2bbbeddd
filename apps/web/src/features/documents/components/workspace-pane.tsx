import type { WorkspaceDocumentStatus, WatchWire } from "@carrel/contracts";
import { useQuery } from "@tanstack/react-query";
import { Download, FolderInput, Pin, PinOff, RefreshCw, Tag, Trash2 } from "lucide-react";
import { useMemo, useState, type ReactNode, useEffect } from "react";
import { useTranslation } from "react-i18next";
import SearchStateLine from "../../../components/search-state-line.tsx";
import { FailedQuery } from "../../../components/ui/notice.tsx";
import { ConfirmDialog } from "../../../components/ui/overlays.tsx";
import { Skeleton } from "../../../components/ui/progress.tsx";
import { linkStyles } from "../../../components/ui/styles.ts";
import { onChange } from "../../../lib/changes.ts";
import { cn } from "../../../lib/cn.ts";
import type { DocumentPlace } from "../../../lib/document-place.ts";
import { formatNumber, phraseComma } from "../../../lib/format.ts";
import { watchesQuery, watchKeys } from "../../../lib/watches.ts";
import { useDownloadOriginals } from "../api/bulk-actions.ts";
import { foldersQuery, type WorkspaceView } from "../api/library.ts";
import type { DialogRequest } from "../state/dialog-request.ts";
import { noFilters, type StateFilter } from "../state/document-filters.ts";
import { useListView, type ListView } from "../state/list-view.ts";
import { useProgress } from "../state/progress.ts";
import { refreshSoon } from "../state/refresh.ts";
import { useIsUploadingInto } from "../state/upload-store.ts";
import {
  useRemoveDocument,
  useWorkspaceActions,
  type WorkspaceActions,
} from "../state/workspace-actions.ts";
import {
  useWorkspaceRows,
  useWorkspaceSelection,
  type WorkspaceRows,
  type WorkspaceSelection,
} from "../state/workspace-selection.ts";
import { DocumentHits } from "./document-hits.tsx";
import { ListControls } from "./list-controls.tsx";
import { BulkBar, StagedBar } from "./selection-bars.tsx";
import { WorkspaceColumns, WorkspaceTable } from "./workspace-table.tsx";

const states: readonly StateFilter[] = ["waiting", "ready", "failed", "pinned"];

/** Title, document and passage counts, search and filters. */
function WorkspaceHead({
  rows: { total, passages },
  count,
  view,
  tags,
}: {
  rows: WorkspaceRows;
  /** null while loading. */
  count: { documents: number; failed: number } | null;
  view: ListView;
  /** Tags to filter by. */
  tags: string[];
}) {
  const { t } = useTranslation("documents-manager");
  const { isFiltered } = view;
  return (
    <div className="flex flex-none items-center gap-2 py-3 ps-4 pe-3 max-md:flex-wrap max-md:border-b max-md:border-subtle">
      <h2 className="font-semibold whitespace-nowrap max-md:hidden">
        {t("workspace.inThisWorkspace")}
      </h2>
      {total !== null && count && (
        <span className="flex-none whitespace-nowrap text-fg-3 tabular-nums max-md:order-last max-md:w-full">
          {isFiltered ? (
            t("workspace.found", { count: total })
          ) : (
            <>
              {t("workspace.documents", { count: count.documents })}
              {count.failed > 0 && (
                <>
                  {phraseComma()}
                  <button
                    type="button"
                    className={cn(linkStyles, "text-danger max-md:py-0.5")}
                    onClick={() => view.setFilters({ ...noFilters, state: "failed" })}
                  >
                    {t("workspace.failedDocuments", { count: count.failed })}
                  </button>
                </>
              )}
              {passages !== null && passages > 0 && (
                // The only part that a narrow list can omit.
                <span className="@max-[1101px]/documents:hidden max-md:hidden">
                  {" · "}
                  {t("workspace.passages", { count: passages, text: formatNumber(passages) })}
                </span>
              )}
            </>
          )}
        </span>
      )}
      {isFiltered && total !== null && total > 0 && (
        <button
          type="button"
          className={cn(linkStyles, "flex-none text-xs max-md:hidden")}
          onClick={view.reset}
        >
          {t("resetFilter")}
        </button>
      )}
      <span className="min-w-0 flex-1 max-md:hidden" />
      <ListControls
        view={view}
        className="w-[220px] max-md:h-10 max-md:w-auto max-md:flex-1"
        label={t("workspace.searchLabel")}
        placeholder={t("workspace.search")}
        states={states}
        tags={tags}
      />
    </div>
  );
}

export interface WorkspacePaneProps {
  slug: string;
  name: string;
  /** null while loading. */
  count: { documents: number; failed: number } | null;
  rights: DocumentRights;
  /** Has room for the full manager: selecting, moving, tagging. */
  fullManager: boolean;
  onOpen: (document: WorkspaceDocumentStatus) => void;
  onOpenPlace: (place: DocumentPlace, slug: string) => void;
  onOpenDialog: (request: DialogRequest) => void;
  onActivity: () => void;
  /** Shown below the list. */
  uploadPanel?: ReactNode;
}

/** A workspace's documents, their state and the actions on them. */
export function WorkspacePane({
  slug,
  name,
  count,
  rights,
  fullManager,
  onOpen,
  onOpenPlace,
  onOpenDialog,
  onActivity,
  uploadPanel,
}: WorkspacePaneProps) {
  const { t } = useTranslation(["documents-manager", "documents"]);
  const view = useListView({ sort: "added", descending: true });
  const { term, filters, sorting, isFiltered } = view;
  const [removing, setRemoving] = useState<WorkspaceDocumentStatus | null>(null);
  const removeDocument = useRemoveDocument(slug);
  const selectable = rights.manages && fullManager;
  const isUploading = useIsUploadingInto(slug);
  useProgress(slug, rights.uploads);

  const query = useMemo<WorkspaceView>(
    () => ({
      search: term,
      state: filters.state,
      kinds: filters.kinds,
      tags: filters.tags,
      ...sorting,
    }),
    [term, filters, sorting],
  );
  const [box, setBox] = useState<HTMLDivElement | null>(null);
  const rows = useWorkspaceRows(slug, query, box);
  const selection = useWorkspaceSelection(slug, rows, query, selectable);
  const watches = useDocumentWatches(slug, rights.uploads);
  const actions = useWorkspaceActions(slug, selection, onOpenDialog, setRemoving, fullManager);
  // Without the library there is no list of all tags, so offer the visible documents' tags.
  const libraryTags = useQuery({ ...foldersQuery, enabled: selectable }).data?.tags;
  const visibleTags = rows.virtual.items.flatMap(({ index }) => rows.documentAt(index)?.tags ?? []);
  const label = t("workspace.inWorkspace", { name });
  return (
    <section
      className="relative flex min-h-0 min-w-0 flex-1 flex-col @max-[901px]/documents:group-data-[tab=library]/manager:hidden"
      aria-label={label}
      data-zone="workspace"
    >
      <WorkspaceHead
        rows={rows}
        count={count}
        view={view}
        tags={libraryTags ?? [...new Set(visibleTags)].sort()}
      />
      <SearchStateLine slug={slug} className="px-4 pb-2 max-md:pt-2" />
      {!rights.uploads && rows.count > 0 && (
        <p className="px-4 pb-2 text-xs text-fg-3">{t("workspace.addedByManagers")}</p>
      )}
      {selectable && <StagedBar slug={slug} />}
      {rows.pages.error && (
        <div className="px-4 pb-3">
          <FailedQuery
            title={t("workspace.listFailed")}
            retryLabel={t("tryAgain")}
            error={rows.pages.error}
            retry={rows.pages.retry}
          />
        </div>
      )}
      <div
        className="relative flex-1 overflow-auto scrollbar-thin scrollbar-thumb-line scrollbar-track-transparent outline-none **:focus-visible:-outline-offset-2"
        ref={setBox}
        tabIndex={-1}
      >
        <WorkspaceTable
          slug={slug}
          label={label}
          head={
            <WorkspaceColumns
              selectable={selectable}
              rowCount={rows.count}
              selection={selection}
              sorting={sorting}
              onSort={view.setSorting}
            />
          }
          rows={rows}
          selection={selection}
          actions={actions}
          watches={watches}
          manager={rights.manages}
          selectable={selectable}
          onOpen={onOpen}
          onExplainWatching={() => onOpenDialog({ kind: "explain", what: "watch" })}
          onActivity={onActivity}
        />
        {rows.total === null && rows.pages.pending && (
          <div className="grid gap-4 p-4" aria-label={t("workspace.loading")}>
            {[72, 54, 63].map((width) => (
              <Skeleton key={width} style={{ inlineSize: `${width}%` }} />
            ))}
          </div>
        )}
        {rows.total === 0 && isFiltered && (
          <p className="text-fg-3 p-4">
            {term === "" ? t("nothingFound") : t("workspace.nothingFound", { term })}{" "}
            <button type="button" className={linkStyles} onClick={view.reset}>
              {t("resetFilter")}
            </button>
          </p>
        )}
        <DocumentHits slug={slug} term={term} onOpen={onOpenPlace} />
        {rows.total === 0 && !isFiltered && !isUploading && (
          <p className="text-fg-2 p-4">
            {rights.uploads ? t("workspace.empty") : t("workspace.emptyMember")}
          </p>
        )}
        {selection.count > 0 && <div className="h-21" />}
      </div>
      {selectable && selection.count > 0 && (
        <WorkspaceBulkBar selection={selection} actions={actions} />
      )}
      {uploadPanel}
      {removing && (
        <ConfirmDialog
          open
          title={t("workspace.removeTitle", { title: removing.title })}
          text={t("workspace.removeText")}
          action={t("workspace.remove")}
          onClose={() => setRemoving(null)}
          onConfirm={() => removeDocument.mutateAsync(removing)}
        />
      )}
    </section>
  );
}

/** Actions for the documents selected in a workspace. */
function WorkspaceBulkBar({
  selection: { selected, count, clear },
  actions: { openDialog, pin, reembed },
}: {
  selection: WorkspaceSelection;
  actions: WorkspaceActions;
}) {
  const { t } = useTranslation("documents-manager");
  const download = useDownloadOriginals();
  const documents = [...selected.documents.values()];
  const allPinned = documents.length > 0 && documents.every((document) => document.pinned);
  return (
    <BulkBar
      place="table"
      count={count}
      onClear={clear}
      actions={[
        {
          label: allPinned ? t("unpin") : t("pin"),
          icon: allPinned ? PinOff : Pin,
          main: true,
          run: () => pin(selected, !allPinned),
        },
        { label: t("embedAgain"), icon: RefreshCw, main: true, run: () => reembed(selected) },
        {
          label: t("move"),
          icon: FolderInput,
          main: true,
          run: () => openDialog("move", selected),
        },
        { label: t("tag"), icon: Tag, run: () => openDialog("tag", selected) },
        ...(selected.all === null
          ? [
              {
                label: t("downloadMany", { count: documents.length }),
                icon: Download,
                run: () => download(documents),
              },
            ]
          : []),
        {
          label: t("removeFromWorkspace"),
          icon: Trash2,
          main: true,
          run: () => openDialog("remove", selected),
        },
      ]}
    />
  );
}

/** What the user may do with documents. */
export interface DocumentRights {
  /** May use My documents, which everyone with this right shares. */
  library: boolean;
  /** May change this workspace's documents. */
  manages: boolean;
  /** May add documents to this workspace. */
  uploads: boolean;
  /** Whether uploading isn't allowed; false until known. */
  uploadsClosed: boolean;
}

/** The workspace's watched documents, by their id; empty while live sync is off. */
function useDocumentWatches(slug: string, isEnabled: boolean): ReadonlyMap<string, WatchWire> {
  const { data } = useQuery({ ...watchesQuery(slug), enabled: isEnabled });
  useEffect(
    () =>
      !isEnabled
        ? undefined
        : onChange((frame) => {
            // A sync that found something has changed documents.
            if (frame.type === "workspace-documents.changed")
              refreshSoon(watchKeys.inWorkspace(slug));
          }),
    [slug, isEnabled],
  );
  return useMemo(
    () =>
      new Map(
        (data?.enabled ? data.watches : []).flatMap((watch) =>
          watch.document === null ? [] : [[watch.document.id, watch] as const],
        ),
      ),
    [data],
  );
}
