import i18next from "i18next";
import { formatNumber } from "../../../lib/format.ts";
import { toast } from "../../../lib/toast.ts";

/** What a bulk action did, and why the other documents were skipped. */
export interface Outcome {
  affected: number;
  skipped: number;
  message: string | null;
}

export type OutcomeKey =
  | "moved"
  | "tagged"
  | "reread"
  | "purged"
  | "added"
  | "pinned"
  | "unpinned"
  | "embedding"
  | "takenOut";

/** Shows a toast with the number of changed documents and why the others were not. */
export function reportOutcome(key: OutcomeKey, { affected, skipped, message }: Outcome): void {
  const t = i18next.getFixedT(null, "library");
  const rest =
    skipped > 0
      ? message
        ? t("skippedSome", { text: formatNumber(skipped), message })
        : t("skippedPlain", { text: formatNumber(skipped) })
      : "";
  if (affected > 0)
    toast.success(
      [t(key, { count: affected, text: formatNumber(affected) }), rest].filter(Boolean).join(" "),
    );
  else if (key === "added" && message === null) toast.info(t("addedNone"));
  else toast.info(rest || (message ?? t("skippedPlain", { text: formatNumber(0) })));
}
