import i18next from "i18next";
import { errorMessage } from "../../../lib/error-message.ts";
import { formatNumber } from "../../../lib/format.ts";
import { toast } from "../../../lib/toast.ts";
import { forEach, type Outcome } from "../api/library.ts";
import { selectionsOf, type Chosen } from "./chosen.ts";
import { refreshDocumentLists } from "./refresh.ts";
import type { DocumentSelection } from "@carrel/contracts";

type Told =
  | "moved"
  | "tagged"
  | "reread"
  | "purged"
  | "added"
  | "pinned"
  | "unpinned"
  | "embedding"
  | "takenOut";

/** Reports how many documents were changed and why the others were not. */
export function tell(told: Told, { affected, skipped, message }: Outcome): void {
  const t = i18next.getFixedT(null, "library");
  const left =
    skipped > 0
      ? message
        ? t("skippedSome", { text: formatNumber(skipped), message })
        : t("skippedPlain", { text: formatNumber(skipped) })
      : "";
  if (affected > 0)
    toast.success(
      [t(told, { count: affected, text: formatNumber(affected) }), left].filter(Boolean).join(" "),
    );
  else if (told === "added" && message === null) toast.info(t("addedNone"));
  else toast.info(left || (message ?? t("skippedPlain", { text: formatNumber(0) })));
}

/** Runs an action on the selection and reports the outcome; false if it failed. */
export async function act(
  told: Told,
  chosen: Chosen | DocumentSelection[],
  run: (selection: DocumentSelection) => Promise<Outcome>,
): Promise<boolean> {
  try {
    tell(told, await forEach(Array.isArray(chosen) ? chosen : selectionsOf(chosen), run));
    return true;
  } catch (error) {
    toast.error(i18next.t("library:actFailed", { message: errorMessage(error) }));
    return false;
  } finally {
    refreshDocumentLists();
  }
}
