import i18next from "i18next";
import { toast } from "../../../lib/toast.ts";
import { downloadOriginal } from "../api/library.ts";
import { errorMessage } from "../../../lib/error-message.ts";

/** Browsers prompt or block when a page starts too many downloads. */
const maxDownloads = 20;
/** Milliseconds between downloads, so that the browser accepts each one. */
const delayMs = 400;

/** Downloads originals one after another and reports documents that have none. */
export async function downloadOriginals(
  documents: readonly { documentId: string; title: string }[],
): Promise<void> {
  const t = i18next.getFixedT(null, "library");
  if (documents.length > maxDownloads)
    return toast.info(t("downloadTooMany", { count: maxDownloads }));
  for (const [index, { documentId, title }] of documents.entries()) {
    if (index > 0) await new Promise((resolve) => setTimeout(resolve, delayMs));
    try {
      if (!(await downloadOriginal(documentId))) toast.info(t("noOriginal", { name: title }));
    } catch (error) {
      return toast.error(t("downloadFailed", { message: errorMessage(error) }));
    }
  }
}
