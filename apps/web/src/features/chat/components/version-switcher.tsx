import { ChevronLeft, ChevronRight } from "lucide-react";
import { useTranslation } from "react-i18next";
import { IconButton } from "../../../components/ui/button.tsx";
import type { AnswerActions } from "../state/use-answer-actions.ts";

/**
 * ‹ 2/3 ›: the versions of a question, or of its answer; the others are kept with everything that
 * followed them. `data-meta` keeps it in view next to hidden actions.
 */
export function VersionSwitcher({
  kind,
  ids,
  current,
  actions,
}: {
  kind: "question" | "answer";
  ids: number[];
  current: number | null;
  actions: AnswerActions;
}) {
  const { t } = useTranslation("chat");
  const at = ids.indexOf(current ?? -1);
  if (ids.length < 2 || at === -1) return null;
  const go = (step: number): void => {
    const other = ids[at + step];
    if (other !== undefined) actions.onBranch(other);
  };
  const name = kind === "question" ? "questionVersion" : "answerVersion";
  return (
    <div
      className="inline-flex flex-none items-center gap-0.5 text-xs/5 text-fg-3 max-md:[&_[data-slot=icon-button]]:size-9"
      role="group"
      aria-label={t(`${name}s`)}
      data-meta
    >
      <IconButton
        label={t(`${name}Before`)}
        disabled={at === 0 || actions.busy}
        onClick={() => go(-1)}
      >
        <ChevronLeft className="size-3.5 stroke-2 rtl:-scale-x-100" />
      </IconButton>
      <span
        className="tabular-nums"
        aria-label={t(`${name}Of`, { number: at + 1, count: ids.length })}
      >
        {at + 1}/{ids.length}
      </span>
      <IconButton
        label={t(`${name}After`)}
        disabled={at === ids.length - 1 || actions.busy}
        onClick={() => go(1)}
      >
        <ChevronRight className="size-3.5 stroke-2 rtl:-scale-x-100" />
      </IconButton>
    </div>
  );
}
