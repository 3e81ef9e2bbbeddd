import { useTranslation } from "react-i18next";
import { cn } from "../../../lib/cn.ts";
import { formatNumber } from "../../../lib/format.ts";
import { noFilters, type StateFilter } from "../state/document-filters.ts";
import type { ListView } from "../state/list-view.ts";
import type { WorkspaceRows } from "../state/workspace-rows.ts";
import { ListControls } from "./list-controls.tsx";
import { linkStyles } from "../../../components/ui/link.ts";

const states: readonly StateFilter[] = ["waiting", "ready", "failed", "pinned"];

/** Title, document and passage counts, search and filters. */
export function WorkspaceHead({
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
  const { t } = useTranslation("library");
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
                  {", "}
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
                // The only part that a narrow list can do without.
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
