import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { ExportType } from "../api/export-thread.ts";

/** Saves a thread as a file; the code for it is loaded on first use. */
export function useThreadExport(
  slug: string,
  threadSlug: string | null,
  title: string,
): (type: ExportType) => void {
  const { t } = useTranslation("chat");
  return useMutation({
    mutationFn: async (type: ExportType) => {
      const { saveThread } = await import("../api/export-thread.ts");
      await saveThread(slug, threadSlug, title, type);
    },
    meta: { errorToast: (message) => t("exportFailed", { message }) },
  }).mutate;
}
