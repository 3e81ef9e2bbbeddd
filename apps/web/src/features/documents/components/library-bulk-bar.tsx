import { Download, FolderInput, ListPlus, RotateCcw, Tag, Trash2 } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useReparseDocuments } from "../api/bulk-actions.ts";
import { saveOriginals } from "../state/download.ts";
import type { LibraryActions } from "../state/library-actions.ts";
import type { LibrarySelection } from "../state/library-selection.ts";
import { BulkBar } from "./bulk-bar.tsx";

/** Actions for the documents selected in My documents. */
export function LibraryBulkBar({
  selection: { chosen, count, clear },
  actions: { ask, stageAll },
  onlyFailed,
}: {
  selection: LibrarySelection;
  actions: LibraryActions;
  /** Whether the list shows failed documents only. */
  onlyFailed: boolean;
}) {
  const { t } = useTranslation("library");
  const reparse = useReparseDocuments();
  const documents = [...chosen.documents.values()];
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
            stageAll(chosen);
            clear();
          },
        },
        { label: t("move"), icon: FolderInput, run: () => ask("move", chosen) },
        { label: t("tag"), icon: Tag, run: () => ask("tag", chosen) },
        ...(onlyFailed || documents.some((document) => document.failed)
          ? [
              {
                label: t("reread"),
                icon: RotateCcw,
                run: () => reparse.mutate({ documents: chosen }, { onSuccess: clear }),
              },
            ]
          : []),
        ...(documents.length > 0 && chosen.all === null && chosen.folders.size === 0
          ? [
              {
                label: t("downloadMany", { count: documents.length }),
                icon: Download,
                run: () => void saveOriginals(documents),
              },
            ]
          : []),
        { label: t("removeSelected"), icon: Trash2, run: () => ask("purge", chosen) },
      ]}
    />
  );
}
