import type { WorkspaceDocumentStatus } from "@carrel/contracts";
import { useQuery } from "@tanstack/react-query";
import { useDeferredValue, useMemo, useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Skeleton } from "../../../components/ui/skeleton.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { ConfirmDialog } from "../../../components/ui/dialogs.tsx";
import { Notice } from "../../../components/ui/notice.tsx";
import { foldersQuery, type Sorting, type WorkspaceView } from "../api/library.ts";
import { useRemoveDocument } from "../api/workspace-documents.ts";
import type { Ask } from "../state/ask.ts";
import { everything, isNarrowed, type Narrowing } from "../state/narrowing.ts";
import { useProgress } from "../state/progress.ts";
import { useWorkspaceActions } from "../state/workspace-actions.ts";
import { useWorkspaceRows } from "../state/workspace-rows.ts";
import { useWorkspaceSelection } from "../state/workspace-selection.ts";
import { StagedBar } from "./staged-bar.tsx";
import { WorkspaceBulkBar } from "./workspace-bulk-bar.tsx";
import { WorkspaceColumns } from "./workspace-columns.tsx";
import { WorkspaceHead } from "./workspace-head.tsx";
import { WorkspaceTable } from "./workspace-table.tsx";

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
  const { t } = useTranslation(["library", "documents"]);
  const [search, setSearch] = useState("");
  const [narrowing, setNarrowing] = useState<Narrowing>(everything);
  const [sorting, setSorting] = useState<Sorting>({ sort: "added", descending: true });
  const [removing, setRemoving] = useState<WorkspaceDocumentStatus | null>(null);
  const removeDocument = useRemoveDocument(slug);
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
  const [box, setBox] = useState<HTMLDivElement | null>(null);
  const rows = useWorkspaceRows(slug, view, box);
  const selection = useWorkspaceSelection(slug, rows, view, picks);
  const actions = useWorkspaceActions(slug, selection, onAsk, setRemoving, whole);
  // Without the library there is no list of all tags, so offer those of the visible documents.
  const libraryTags = useQuery({ ...foldersQuery, enabled: picks }).data?.tags;
  const visibleTags = rows.virtual.items.flatMap(({ index }) => rows.documentAt(index)?.tags ?? []);
  const narrowed = term !== "" || isNarrowed(narrowing);
  const showAll = (): void => {
    setSearch("");
    setNarrowing(everything);
  };
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
        narrowed={narrowed}
        onShowAll={showAll}
        search={search}
        onSearch={setSearch}
        narrowing={narrowing}
        onNarrow={setNarrowing}
        sorting={sorting}
        onSort={setSorting}
        tags={libraryTags ?? [...new Set(visibleTags)].sort()}
      />
      {picks && <StagedBar slug={slug} />}
      {rows.pages.error && (
        <div className="px-4 pb-3">
          <Notice
            kind="bad"
            action={
              <Button size="sm" onClick={rows.pages.retry}>
                {t("documents:tryAgain")}
              </Button>
            }
          >
            <p>
              <b>{t("workspace.listFailed")}</b>
            </p>
            <p>{rows.pages.error.message}</p>
          </Notice>
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
              picks={picks}
              rowCount={rows.count}
              selection={selection}
              sorting={sorting}
              onSort={setSorting}
            />
          }
          rows={rows}
          selection={selection}
          actions={actions}
          manager={manager}
          picks={picks}
          onOpen={onOpen}
          onExplainWatching={() => onAsk({ kind: "explain", what: "watch" })}
          onActivity={onActivity}
        />
        {rows.total === null && rows.pages.pending && (
          <div className="grid gap-4 p-4" aria-label={t("workspace.loading")}>
            {[72, 54, 63].map((width) => (
              <Skeleton key={width} style={{ inlineSize: `${width}%` }} />
            ))}
          </div>
        )}
        {rows.total === 0 && narrowed && (
          <p className="text-fg-3 p-4">
            {term === "" ? t("nothingFound") : t("workspace.nothingFound", { term })}{" "}
            <button type="button" className="link" onClick={showAll}>
              {t("resetFilter")}
            </button>
          </p>
        )}
        {rows.total === 0 && !narrowed && (
          <p className="text-fg-2 p-4">
            {manager ? t("workspace.empty") : t("workspace.emptyMember")}
          </p>
        )}
        {selection.count > 0 && <div className="h-21" />}
      </div>
      {picks && selection.count > 0 && <WorkspaceBulkBar selection={selection} actions={actions} />}
      {intake}
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
