import { FolderPlus } from "lucide-react";
import { useTranslation } from "react-i18next";
import { IconButton } from "../../../components/ui/icon-button.tsx";
import { formatNumber } from "../../../lib/format.ts";
import type { StateFilter } from "../state/document-filters.ts";
import type { ListView } from "../state/list-view.ts";
import { ListControls } from "./list-controls.tsx";

const states: readonly StateFilter[] = ["waiting", "ready", "failed"];

/** Title, search, filters and the button for a new folder. */
export function LibraryHead({
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
  const { t } = useTranslation("library");
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
