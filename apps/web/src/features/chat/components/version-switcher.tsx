import { ChevronLeft, ChevronRight } from "lucide-react";
import { useTranslation } from "react-i18next";
import { IconButton } from "../../../components/ui/button.tsx";
import type { TurnView } from "../state/turn-view.ts";
import type { AnswerActions } from "../state/use-answer-actions.ts";

/**
 * Buttons shown while their turn (`group/turn`) has the pointer or focus; `data-meta` is always
 * shown.
 */
export const hiddenActions =
  "can-hover:[&>:not([data-meta])]:opacity-0 can-hover:has-aria-expanded:[&>:not([data-meta])]:opacity-100 can-hover:group-focus-within/turn:[&>:not([data-meta])]:opacity-100 can-hover:group-hover/turn:[&>:not([data-meta])]:opacity-100";

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

/**
 * The versions of a turn as turn IDs, in the order they were written: one per wording of the
 * question (for other wordings the newest answer), and one per answer to the current wording.
 */
export function versionsOf({
  chatId,
  siblings,
  siblingQuestions,
}: Pick<TurnView, "chatId" | "siblings" | "siblingQuestions">): {
  questions: number[];
  answers: number[];
} {
  if (chatId === null || !siblings.includes(chatId)) return { questions: [], answers: [] };
  const questionOf = (id: number): number => {
    const at = siblings.indexOf(id);
    return siblingQuestions[at] ?? at; // a server without this field: each version is a new question
  };
  const shown = new Map<number, number>();
  for (const id of siblings) shown.set(questionOf(id), id);
  shown.set(questionOf(chatId), chatId);
  return {
    questions: [...shown.values()],
    answers: siblings.filter((id) => questionOf(id) === questionOf(chatId)),
  };
}
