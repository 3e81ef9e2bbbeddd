import { Download, FolderInput, ListPlus, RotateCcw, Tag, Trash2 } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useReparseDocuments } from "../api/bulk-actions.ts";
import { useDownloadOriginals } from "../state/download.ts";
import type { LibraryActions } from "../state/library-actions.ts";
import type { LibrarySelection } from "../state/library-selection.ts";
import { BulkBar } from "./bulk-bar.tsx";

/** Actions for the documents selected in My documents. */
export function LibraryBulkBar({
  selection: { selected, count, clear },
  actions: { openDialog, stageAll },
  onlyFailed,
}: {
  selection: LibrarySelection;
  actions: LibraryActions;
  /** Whether the list shows failed documents only. */
  onlyFailed: boolean;
}) {
  const { t } = useTranslation("library");
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
