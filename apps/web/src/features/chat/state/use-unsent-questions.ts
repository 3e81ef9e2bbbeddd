import type { TurnWire } from "@carrel/contracts";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { restoreToComposer } from "./draft.ts";
import { threadKey } from "./generations.ts";
import { addPending, failPending } from "./pending-questions.ts";
import { dropUnsent, restoreUnsent } from "./unsent-questions.ts";

/**
 * Shows the questions that an earlier page of this browser left unsent, once the thread's turns are
 * known, so that the person can send or discard them.
 */
export function useUnsentQuestions(
  slug: string,
  threadSlug: string | null,
  turns: readonly TurnWire[] | null,
): void {
  const { t } = useTranslation("chat");
  useEffect(() => {
    if (turns === null) return;
    const key = threadKey(slug, threadSlug);
    for (const { message, mode, choices = null, isRefused } of restoreUnsent(key, turns)) {
      if (isRefused) {
        dropUnsent(key, message);
        restoreToComposer(key, message);
        continue;
      }
      const id = addPending(key, { slug, threadSlug, message, mode, choices });
      failPending(key, id, t("notSent"), true);
    }
  }, [slug, threadSlug, turns, t]);
}
