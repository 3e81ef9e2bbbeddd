import { Download, FolderInput, Pin, PinOff, RefreshCw, Tag, Trash2 } from "lucide-react";
import { useTranslation } from "react-i18next";
import { saveOriginals } from "../state/download.ts";
import type { WorkspaceActions } from "../state/workspace-actions.ts";
import type { WorkspaceSelection } from "../state/workspace-selection.ts";
import { BulkBar } from "./bulk-bar.tsx";

/** Actions for the documents selected in a workspace. */
export function WorkspaceBulkBar({
  selection: { chosen, count, clear },
  actions: { ask, pin, reembed },
}: {
  selection: WorkspaceSelection;
  actions: WorkspaceActions;
}) {
  const { t } = useTranslation("library");
  const documents = [...chosen.documents.values()];
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
          run: () => pin(chosen, !allPinned),
        },
        { label: t("embedAgain"), icon: RefreshCw, main: true, run: () => reembed(chosen) },
        { label: t("move"), icon: FolderInput, main: true, run: () => ask("move", chosen) },
        { label: t("tag"), icon: Tag, run: () => ask("tag", chosen) },
        ...(chosen.all === null
          ? [
              {
                label: t("downloadMany", { count: documents.length }),
                icon: Download,
                run: () => void saveOriginals(documents),
              },
            ]
          : []),
        { label: t("takeOut"), icon: Trash2, main: true, run: () => ask("take-out", chosen) },
      ]}
    />
  );
}
