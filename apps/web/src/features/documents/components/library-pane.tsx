import type { LibraryDocument, LibraryFilter } from "@carrel/contracts";
import { useQuery } from "@tanstack/react-query";
import { useDeferredValue, useMemo, useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Skeleton } from "../../../components/ui/skeleton.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { Notice } from "../../../components/ui/notice.tsx";
import { formatNumber } from "../../../lib/format.ts";
import { foldersQuery, type Sorting } from "../api/library.ts";
import type { Ask } from "../state/ask.ts";
import { isEmpty, isWhole } from "../state/chosen.ts";
import { useLibraryActions } from "../state/library-actions.ts";
import { useLibraryRows } from "../state/library-rows.ts";
import { useLibrarySelection } from "../state/library-selection.ts";
import { everything, isNarrowed, type Narrowing } from "../state/narrowing.ts";
import { Checkbox } from "../../../components/ui/checkbox.tsx";
import { LibraryBulkBar } from "./library-bulk-bar.tsx";
import { LibraryHead } from "./library-head.tsx";
import { LibraryTree } from "./library-tree.tsx";

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
  const term = useDeferredValue(search.trim());
  const [box, setBox] = useState<HTMLDivElement | null>(null);
  const folders = useQuery(foldersQuery);
  const tree = folders.data?.tree;
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
  const rows = useLibraryRows({ box, tree, filter, flat, sorting });
  const selection = useLibrarySelection(
    rows,
    tree,
    filter,
    flat ? rows.found : (folders.data?.documents ?? 0),
  );
  const actions = useLibraryActions(slug, selection, onOpen, onAsk);
  const allTicked = isWhole(selection.chosen);
  const failure = folders.error ?? rows.pages.error;
  const resetFilter = (): void => {
    setSearch("");
    setNarrowing(everything);
  };
  return (
    <section
      className="relative flex min-h-0 min-w-0 flex-col border-e border-subtle bg-canvas @max-[901px]/documents:border-0 @max-[901px]/documents:group-data-[tab=workspace]/manager:hidden"
      aria-label={t("myDocuments")}
      data-zone="library"
    >
      <LibraryHead
        total={folders.data?.documents}
        search={search}
        onSearch={setSearch}
        narrowing={narrowing}
        onNarrow={setNarrowing}
        sorting={sorting}
        onSort={setSorting}
        tags={folders.data?.tags ?? []}
        onNewFolder={() => onAsk({ kind: "make-folder", parent: null })}
      />
      {failure && (
        <div className="px-4 pb-3">
          <Notice
            kind="bad"
            action={
              <Button
                size="sm"
                onClick={() => {
                  void folders.refetch();
                  rows.pages.retry();
                }}
              >
                {t("tryAgain")}
              </Button>
            }
          >
            <p>
              <b>{t("loadFailed")}</b>
            </p>
            <p>{failure.message}</p>
          </Notice>
        </div>
      )}
      {rows.count > 0 && (
        <div className="flex min-h-7 items-center gap-3 ps-[38px] pe-4 pb-2 text-xs text-fg-2">
          <label className="flex min-h-6 min-w-0 cursor-pointer items-center gap-2 max-md:min-h-9">
            <Checkbox
              mixed={!allTicked && selection.count > 0}
              checked={allTicked}
              onChange={() => (allTicked ? selection.clear() : selection.chooseAll())}
            />
            {allTicked ? t("deselectAll") : t("selectAll")}
          </label>
          {flat && (
            <span className="text-fg-3 tabular-nums text-xs" role="status">
              {t("found", { count: rows.found, text: formatNumber(rows.found) })}
            </span>
          )}
          {flat && (
            <button type="button" className="link text-xs" onClick={resetFilter}>
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
            <button type="button" className="link" onClick={resetFilter}>
              {t("resetFilter")}
            </button>
          </p>
        )}
        {folders.isSuccess && !flat && rows.count === 0 && (
          <p className="text-fg-2 p-4">{t("empty")}</p>
        )}
        {selection.count > 0 && <div className="h-28" />}
      </div>
      {!isEmpty(selection.chosen) && (
        <div className="relative h-0">
          <LibraryBulkBar
            selection={selection}
            actions={actions}
            onlyFailed={narrowing.state === "failed"}
          />
        </div>
      )}
      {intake}
    </section>
  );
}
