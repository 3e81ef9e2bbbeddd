import i18next from "i18next";
import { formatNumber } from "../../../lib/format.ts";
import { toast } from "../../../lib/toast.ts";

/** What a bulk action did. */
export interface Outcome {
  affected: number;
  skipped: number;
}

/** Why each action skips documents. */
const skippedKeys = {
  moved: "skipped.gone",
  tagged: "skipped.gone",
  purged: "skipped.gone",
  reparsing: "skipped.notFailed",
  added: "skipped.notAdded",
  pinned: "skipped.notInWorkspace",
  unpinned: "skipped.notInWorkspace",
  removedFromWorkspace: "skipped.notInWorkspace",
  embedding: "skipped.notSearchable",
} as const;

export type OutcomeKey = keyof typeof skippedKeys;

/** Shows a toast with the number of changed documents and why the others were not. */
export function reportOutcome(key: OutcomeKey, { affected, skipped }: Outcome): void {
  const t = i18next.getFixedT(null, "library");
  const numbers = (count: number) => ({ count, text: formatNumber(count) });
  const rest = skipped > 0 ? t(skippedKeys[key], numbers(skipped)) : "";
  if (affected > 0) toast.success([t(key, numbers(affected)), rest].filter(Boolean).join(" "));
  else toast.info(rest || (key === "added" ? t("addedNone") : t("nothingChanged")));
}
