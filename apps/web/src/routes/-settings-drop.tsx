import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { acceptedTypesQuery } from "../features/documents/api/accepted-types.ts";
import { FileDrop } from "../features/documents/components/file-drop.tsx";
import { toast } from "../lib/toast.ts";
import { workspacesQuery } from "../lib/workspaces.ts";

/**
 * Files dropped on the settings go only to the library, because no workspace is open. Uploads
 * continue in the background, so unsaved settings stay on the page.
 */
export function SettingsDrop() {
  const { t } = useTranslation("documents");
  const accept = useQuery(acceptedTypesQuery).data?.join(",") ?? "";
  // Uploads go through a workspace, even if they stay in the library.
  const slug = useQuery(workspacesQuery).data?.[0]?.slug;
  const onFiles = (files: File[]): void => {
    if (slug === undefined) return;
    void import("../features/documents/state/uploads.ts").then(({ addDropped }) => {
      const dropped = files.map((file) => ({ file, folder: "" }));
      addDropped(slug, { files: dropped, skipped: [] }, { embed: false });
      toast.info(t("uploadingToLibrary", { count: files.length }));
    });
  };
  return (
    <FileDrop
      title={t("dropLibrary")}
      accept={accept}
      onFiles={slug === undefined ? null : onFiles}
    />
  );
}
