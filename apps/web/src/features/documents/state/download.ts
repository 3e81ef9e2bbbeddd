import { useMutation } from "@tanstack/react-query";
import i18next from "i18next";
import { toast } from "../../../lib/toast.ts";
import { downloadOriginal } from "../api/library.ts";

/** Browsers prompt or block when a page starts too many downloads. */
const maxDownloads = 20;
/** Milliseconds between downloads, so that the browser accepts each one. */
const delayMs = 400;

type DownloadOriginals = (documents: readonly { documentId: string; title: string }[]) => void;

/** Downloads originals one after another and reports documents that have none. */
export function useDownloadOriginals(): DownloadOriginals {
  return useMutation({
    mutationFn: async (documents: Parameters<DownloadOriginals>[0]) => {
      const t = i18next.getFixedT(null, "library");
      if (documents.length > maxDownloads)
        return toast.info(t("downloadTooMany", { count: maxDownloads }));
      for (const [index, { documentId, title }] of documents.entries()) {
        if (index > 0) await new Promise((resolve) => setTimeout(resolve, delayMs));
        if (!(await downloadOriginal(documentId))) toast.info(t("noOriginal", { name: title }));
      }
    },
    meta: { errorToast: (message) => i18next.t("library:downloadFailed", { message }) },
  }).mutate;
}
