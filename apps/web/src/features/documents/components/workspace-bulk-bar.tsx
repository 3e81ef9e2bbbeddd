import { Download, FolderInput, Pin, PinOff, RefreshCw, Tag, Trash2 } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useDownloadOriginals } from "../state/download.ts";
import type { WorkspaceActions } from "../state/workspace-actions.ts";
import type { WorkspaceSelection } from "../state/workspace-selection.ts";
import { BulkBar } from "./bulk-bar.tsx";

/** Actions for the documents selected in a workspace. */
export function WorkspaceBulkBar({
  selection: { selected, count, clear },
  actions: { openDialog, pin, reembed },
}: {
  selection: WorkspaceSelection;
  actions: WorkspaceActions;
}) {
  const { t } = useTranslation("library");
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
