import i18next from "i18next";
import { toast } from "../../../lib/toast.ts";
import { downloadOriginal } from "../api/library.ts";
import { errorMessage } from "../../../lib/error-message.ts";

/** A browser asks, or stops, when one page begins more downloads than some. */
const most = 20;
/** Between two of them (ms), so that the browser takes each. */
const gap = 400;

/** Downloads the originals of some documents, one after the other, and says what has none. */
export async function saveOriginals(
  documents: readonly { documentId: string; title: string }[],
): Promise<void> {
  const t = i18next.getFixedT(null, "library");
  if (documents.length > most) return toast.info(t("downloadTooMany", { count: most }));
  for (const [index, { documentId, title }] of documents.entries()) {
    if (index > 0) await new Promise((resolve) => setTimeout(resolve, gap));
    try {
      if (!(await downloadOriginal(documentId))) toast.info(t("noOriginal", { name: title }));
    } catch (error) {
      return toast.error(t("downloadFailed", { message: errorMessage(error) }));
    }
  }
}
