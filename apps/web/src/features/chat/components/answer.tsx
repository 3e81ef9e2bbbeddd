import { RotateCcw } from "lucide-react";
import { memo, useMemo } from "react";
import { useTranslation } from "react-i18next";
import { Notice } from "../../../components/ui/notice.tsx";
import { endEditing, useEdited } from "../state/editing.ts";
import { isOpen } from "../state/generation.ts";
import type { TurnView } from "../state/turn-view.ts";
import { useWritten } from "../state/use-written.ts";
import { ActionRow } from "./answer-actions.tsx";
import Markdown, { type Citing } from "./markdown.tsx";
import { SourceChips } from "./source-chips.tsx";
import { Stage } from "./stage.tsx";
import { TurnEditor } from "./turn-editor.tsx";

/** Actions available in a conversation. */
export interface AnswerActions {
  /** An answer is being written, so the branch cannot be switched. */
  busy: boolean;
  /** `words`: the text that the clicked citation supports; null for the source as a whole. */
  onOpenSource: (
    turn: TurnView,
    number: number,
    tab: "page" | "passages",
    words: string | null,
  ) => void;
  /** Asks the same question again; the earlier answer is kept as a branch. */
  onRetry: (turn: TurnView) => void;
  /** Moves a question that never reached the server back to the composer. */
  onDiscard: (turn: TurnView) => void;
  onEditQuestion: (turn: TurnView, text: string) => void;
  onEditAnswer: (turn: TurnView, text: string) => void;
  onBranch: (chatId: number) => void;
  onDelete: (turn: TurnView) => void;
  onHide: (turn: TurnView) => void;
  onRate: (turn: TurnView, feedback: boolean | null) => void;
  onFork: (turn: TurnView) => void;
  /** Shows what was searched and found for it. */
  onInspect: (turn: TurnView) => void;
  onRemoveQueued: (turn: TurnView) => void;
}

/** An answer: stage, text with citations, sources and actions. */
export const Answer = memo(function Answer({
  turn,
  activeSource,
  actions,
}: {
  turn: TurnView;
  activeSource: number | null;
  actions: AnswerActions;
}) {
  const { t } = useTranslation("chat");
  const edited = useEdited(turn.key, "answer");
  const text = useWritten(turn.answer, turn.animate);
  const writing = isOpen(turn.phase);
  const citing = useMemo<Citing>(
    () => ({
      open:
        turn.sources.length > 0
          ? (number, words) => actions.onOpenSource(turn, number, "page", words)
          : null,
      active: activeSource,
      titles: turn.sources.map((source) => source.title),
    }),
    [turn, activeSource, actions],
  );
  // The question shows that it is queued.
  if (turn.place !== null || (turn.waitingId !== null && turn.phase === "queued")) return null;
  const again = (
    <button type="button" className="btn sm" onClick={() => actions.onRetry(turn)}>
      <RotateCcw className="i sm" aria-hidden="true" />
      {turn.phase === "failed" ? t("retry") : t("askAgain")}
    </button>
  );
  return (
    <article
      aria-label={t("answer")}
      aria-busy={writing}
      className={turn.phase === "writing" && !turn.reconnecting ? "answer is-writing" : "answer"}
    >
      {turn.notices.map((notice, index) => (
        <p className="told" key={index}>
          {notice}
        </p>
      ))}
      <Stage
        turn={turn}
        onOpen={
          turn.sources.length > 0 ? () => actions.onOpenSource(turn, 1, "passages", null) : null
        }
      />
      {edited !== null ? (
        <TurnEditor
          text={edited}
          label={t("editAnswer")}
          action={t("saveAnswer")}
          enterSaves={false}
          hint={t("editAnswerHint")}
          onSave={(words) => {
            endEditing();
            actions.onEditAnswer(turn, words);
          }}
        />
      ) : (
        turn.answer && (
          <Markdown
            text={text}
            growing={writing || text.length < turn.answer.length}
            citing={citing}
            count={turn.sources.length > 0 || !writing ? turn.sources.length : null}
          />
        )
      )}
      {turn.phase === "failed" && (
        <div className="mt-2">
          <Notice
            kind="bad"
            action={
              <>
                {turn.chatId === null && (
                  <button
                    type="button"
                    className="btn quiet sm"
                    onClick={() => actions.onDiscard(turn)}
                  >
                    {t("discard")}
                  </button>
                )}
                {again}
              </>
            }
          >
            <p>
              <b>{turn.error || t("failed")}</b>
            </p>
            <p>{turn.answer ? t("failedKept") : t("failedHelp")}</p>
          </Notice>
        </div>
      )}
      {turn.phase === "refused" && <p className="t3 mt-2">{t("refused")}</p>}
      {!writing && turn.sources.length > 0 && (
        <SourceChips
          sources={turn.sources}
          active={activeSource}
          onOpen={(number) => actions.onOpenSource(turn, number, "page", null)}
        />
      )}
      {turn.phase === "stopped" && <div className="mt-2">{again}</div>}
      {!writing && edited === null && (turn.answer || turn.chatId !== null) && (
        <ActionRow turn={turn} actions={actions} />
      )}
    </article>
  );
});
