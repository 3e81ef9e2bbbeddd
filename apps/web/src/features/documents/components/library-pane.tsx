import type { LibraryDocument, LibraryFilter } from "@carrel/contracts";
import { useQuery } from "@tanstack/react-query";
import { Download, FolderInput, FolderPlus, ListPlus, RotateCcw, Tag, Trash2 } from "lucide-react";
import { useMemo, useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { IconButton } from "../../../components/ui/button.tsx";
import { Checkbox } from "../../../components/ui/choices.tsx";
import { FailedQuery } from "../../../components/ui/notice.tsx";
import { Skeleton } from "../../../components/ui/progress.tsx";
import { linkStyles } from "../../../components/ui/styles.ts";
import { cn } from "../../../lib/cn.ts";
import type { DocumentPlace } from "../../../lib/document-place.ts";
import { formatNumber } from "../../../lib/format.ts";
import { useDownloadOriginals, useReparseDocuments } from "../api/bulk-actions.ts";
import { foldersQuery } from "../api/library.ts";
import type { DialogRequest } from "../state/dialog-request.ts";
import type { StateFilter } from "../state/document-filters.ts";
import { useLibraryActions, type LibraryActions } from "../state/library-actions.ts";
import { useLibraryRows } from "../state/library-rows.ts";
import { useLibrarySelection, type LibrarySelection } from "../state/library-selection.ts";
import { useListView, type ListView } from "../state/list-view.ts";
import { isEmpty, isEverything } from "../state/selected-documents.ts";
import { DocumentHits } from "./document-hits.tsx";
import { LibraryTree } from "./library-tree.tsx";
import { ListControls } from "./list-controls.tsx";
import { BulkBar } from "./selection-bars.tsx";

const states: readonly StateFilter[] = ["waiting", "ready", "failed"];

/** Title, search, filters and the button for a new folder. */
function LibraryHead({
  total,
  view,
  tags,
  onNewFolder,
}: {
  /** undefined while loading. */
  total: number | undefined;
  view: ListView;
  /** Tags to filter by. */
  tags: string[];
  onNewFolder: () => void;
}) {
  const { t } = useTranslation("documents-manager");
  return (
    <div className="flex flex-none items-center gap-2 py-3 ps-4 pe-3">
      <h2 className="font-semibold whitespace-nowrap">{t("myDocuments")}</h2>
      <span className="text-fg-3 tabular-nums">
        {total === undefined ? "" : formatNumber(total)}
      </span>
      <span className="min-w-0 flex-1" />
      <ListControls
        view={view}
        className="max-w-[180px] flex-[1_1_120px] @max-[901px]/documents:max-w-none"
        label={t("searchLibrary")}
        placeholder={t("search")}
        states={states}
        canHideAdded
        tags={tags}
      />
      <IconButton label={t("newFolder")} onClick={onNewFolder}>
        <FolderPlus />
      </IconButton>
    </div>
  );
}

export interface LibraryPaneProps {
  slug: string;
  workspaceId: number | undefined;
  onOpen: (document: LibraryDocument) => void;
  onOpenPlace: (place: DocumentPlace, slug: string) => void;
  onOpenDialog: (request: DialogRequest) => void;
  /** The folder under the dragged items. */
  over: string | null;
  uploadPanel: ReactNode;
}

/**
 * My documents: a tree of folders, or a flat list while searching or filtering. Only rows in view
 * are kept in memory.
 */
export function LibraryPane({
  slug,
  workspaceId,
  onOpen,
  onOpenPlace,
  onOpenDialog,
  over,
  uploadPanel,
}: LibraryPaneProps) {
  const { t } = useTranslation("documents-manager");
  const view = useListView({ sort: "title", descending: false });
  const { term, filters, sorting, isFiltered: flat } = view;
  const [box, setBox] = useState<HTMLDivElement | null>(null);
  const folders = useQuery(foldersQuery);
  const tree = folders.data?.tree;
  const filter = useMemo<Partial<LibraryFilter>>(
    () => ({
      ...(term === "" ? {} : { search: term }),
      ...(filters.kinds.length ? { kinds: filters.kinds } : {}),
      ...(filters.tags.length ? { tags: filters.tags } : {}),
      ...(filters.state && filters.state !== "pinned" ? { state: filters.state } : {}),
      ...(filters.missing ? { missingIn: slug } : {}),
    }),
    [term, filters, slug],
  );
  const rows = useLibraryRows({ box, tree, filter, flat, sorting });
  const selection = useLibrarySelection(
    rows,
    tree,
    filter,
    flat ? rows.found : (folders.data?.documents ?? 0),
  );
  const actions = useLibraryActions(slug, selection, onOpen, onOpenDialog);
  const allTicked = isEverything(selection.selected);
  const failure = folders.error ?? rows.pages.error;
  return (
    <section
      className="relative flex min-h-0 min-w-0 flex-col border-e border-subtle bg-canvas @max-[901px]/documents:border-0 @max-[901px]/documents:group-data-[tab=workspace]/manager:hidden"
      aria-label={t("myDocuments")}
      data-zone="library"
    >
      <LibraryHead
        total={folders.data?.documents}
        view={view}
        tags={folders.data?.tags ?? []}
        onNewFolder={() => onOpenDialog({ kind: "create-folder", parent: null })}
      />
      {failure && (
        <div className="px-4 pb-3">
          <FailedQuery
            title={t("loadFailed")}
            retryLabel={t("tryAgain")}
            error={failure}
            retry={() => {
              void folders.refetch();
              rows.pages.retry();
            }}
          />
        </div>
      )}
      {rows.count > 0 && (
        <div className="flex min-h-7 items-center gap-3 ps-[38px] pe-4 pb-2 text-xs text-fg-2">
          <label className="flex min-h-6 min-w-0 cursor-pointer items-center gap-2 max-md:min-h-9">
            <Checkbox
              mixed={!allTicked && selection.count > 0}
              checked={allTicked}
              onChange={() => (allTicked ? selection.clear() : selection.selectAll())}
            />
            {allTicked ? t("deselectAll") : t("selectAll")}
          </label>
          {flat && (
            <span className="text-fg-3 tabular-nums text-xs" role="status">
              {t("found", { count: rows.found, text: formatNumber(rows.found) })}
            </span>
          )}
          {flat && (
            <button type="button" className={cn(linkStyles, "text-xs")} onClick={view.reset}>
              {t("resetFilter")}
            </button>
          )}
        </div>
      )}
      <div
        className="relative flex-1 overflow-auto scrollbar-thin scrollbar-thumb-line scrollbar-track-transparent outline-none **:focus-visible:-outline-offset-2"
        ref={setBox}
        tabIndex={-1}
      >
        {rows.count > 0 && (
          <LibraryTree
            rows={rows}
            selection={selection}
            actions={actions}
            workspaceId={workspaceId}
            over={over}
          />
        )}
        {folders.isPending && (
          <div className="grid gap-4 p-4" aria-label={t("loading")}>
            {[62, 48, 70, 55].map((width) => (
              <Skeleton key={width} style={{ inlineSize: `${width}%` }} />
            ))}
          </div>
        )}
        {rows.foundNothing && (
          <p className="text-fg-3 p-4">
            {t("nothingFound")}{" "}
            <button type="button" className={linkStyles} onClick={view.reset}>
              {t("resetFilter")}
            </button>
          </p>
        )}
        <DocumentHits slug={slug} term={term} onOpen={onOpenPlace} />
        {folders.isSuccess && !flat && rows.count === 0 && (
          <p className="text-fg-2 p-4">{t("empty")}</p>
        )}
        {selection.count > 0 && <div className="h-28" />}
      </div>
      {!isEmpty(selection.selected) && (
        <div className="relative h-0">
          <LibraryBulkBar
            selection={selection}
            actions={actions}
            onlyFailed={filters.state === "failed"}
          />
        </div>
      )}
      {uploadPanel}
    </section>
  );
}

/** Actions for the documents selected in My documents. */
function LibraryBulkBar({
  selection: { selected, count, clear },
  actions: { openDialog, stageAll },
  onlyFailed,
}: {
  selection: LibrarySelection;
  actions: LibraryActions;
  /** Whether the list shows only failed documents. */
  onlyFailed: boolean;
}) {
  const { t } = useTranslation("documents-manager");
  const download = useDownloadOriginals();
  const reparse = useReparseDocuments();
  const documents = [...selected.documents.values()];
  return (
    <BulkBar
      place="library"
      count={count}
      onClear={clear}
      actions={[
        {
          label: t("moveToWorkspace"),
          icon: ListPlus,
          main: true,
          run: () => {
            stageAll(selected);
            clear();
          },
        },
        { label: t("move"), icon: FolderInput, run: () => openDialog("move", selected) },
        { label: t("tag"), icon: Tag, run: () => openDialog("tag", selected) },
        ...(onlyFailed || documents.some((document) => document.failed)
          ? [
              {
                label: t("reparse"),
                icon: RotateCcw,
                run: () => reparse.mutate({ documents: selected }, { onSuccess: clear }),
              },
            ]
          : []),
        ...(documents.length > 0 && selected.all === null && selected.folders.size === 0
          ? [
              {
                label: t("downloadMany", { count: documents.length }),
                icon: Download,
                run: () => download(documents),
              },
            ]
          : []),
        { label: t("removeSelected"), icon: Trash2, run: () => openDialog("purge", selected) },
      ]}
    />
  );
}
