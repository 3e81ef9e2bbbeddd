import { quotingProvider } from "@carrel/contracts";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { TFunction } from "i18next";
import { ChevronRight, CircleCheck, CircleStop, RotateCcw } from "lucide-react";
import { memo, useEffect, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { FaultText } from "../../../components/fault-text.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { Notice } from "../../../components/ui/notice.tsx";
import { LiveDots } from "../../../components/ui/progress.tsx";
import { linkStyles } from "../../../components/ui/styles.ts";
import { cn } from "../../../lib/cn.ts";
import { useRights } from "../../../lib/current-user.ts";
import { setupQuery } from "../../../lib/setup.ts";
import { openWebPage, webPageOf } from "../../../lib/web-page.ts";
import { citedNumbers } from "../state/citations.ts";
import { endEditing, useEditedText } from "../state/draft.ts";
import { isOpen } from "../state/generation.ts";
import type { TurnView } from "../state/turn-view.ts";
import type { AnswerActions } from "../state/use-answer-actions.ts";
import { ActionRow } from "./answer-actions.tsx";
import { AnswerText, type AnswerSteps } from "./answer-text.tsx";
import { ClosestPassages } from "./closest-passages.tsx";
import { Detail } from "./detail.tsx";
import type { Citations } from "./markdown.tsx";
import { SourceChips } from "./source-chips.tsx";
import { TurnEditor } from "./turn-editor.tsx";

const stageLine =
  // In line with the lines of steps.
  "-ms-1 mb-1 inline-flex min-h-7 items-center gap-2 rounded-sm px-1 text-fg-3 max-md:min-h-9";

/** What is happening to an open answer; null once it has ended. */
function runningText(
  t: TFunction<"chat">,
  { phase, stage, reconnecting }: TurnView,
): string | null {
  if (reconnecting) return t("reconnecting");
  switch (phase) {
    case "sending":
      return t("sending");
    case "queued":
      return stage.ahead > 0 ? t("queuedAt", { place: stage.ahead }) : t("queued");
    case "searching":
      return stage.documents === null
        ? t("searching")
        : t("searchingDocuments", { count: stage.documents });
    case "reading":
      return stage.passages ? t("reading", { count: stage.passages }) : t("readingNone");
    case "writing":
      return stage.passages ? t("writingWith", { count: stage.passages }) : t("writing");
    default:
      return null;
  }
}

/** The current or last stage of the answer as text, shown above it. */
function Stage({ turn, onOpen }: { turn: TurnView; onOpen: (() => void) | null }) {
  const { t } = useTranslation("chat");
  const { phase, stage } = turn;
  const running = runningText(t, turn);
  const { thoughts } = turn;
  const isThinking = phase === "writing" && thoughts.some(({ since }) => since !== null);
  // So do its steps, where they are.
  if (turn.steps.length > 0 && isOpen(phase) && !turn.reconnecting) return null;
  // The thought above the answer already says that the model is thinking.
  const isSaid = isThinking || (phase === "writing" && thoughts.length > 0 && !stage.passages);
  if (running !== null && (turn.reconnecting || !isSaid))
    return (
      <p className={cn(stageLine, "text-fg-2")}>
        <LiveDots className="w-4 justify-center" />
        {running}
      </p>
    );
  if (phase === "failed") return null;
  if (phase === "stopped")
    return (
      <p className={stageLine}>
        <CircleStop className="size-4 stroke-[1.75]" aria-hidden="true" />
        {t("stopped")}
      </p>
    );
  // The sources that the answer kept: the same after a reload, which doesn't know what was
  // searched.
  const passages = turn.sources.length;
  if (!passages) return null;
  const content = (
    <>
      <CircleCheck className="size-4 stroke-[1.75]" aria-hidden="true" />
      {t("read", { count: passages })}
    </>
  );
  return onOpen ? (
    <button
      type="button"
      className={cn(stageLine, "hover:bg-hover hover:text-fg-1")}
      onClick={onOpen}
    >
      {content}
      <ChevronRight className="size-3.5 stroke-2 rtl:-scale-x-100" aria-hidden="true" />
    </button>
  ) : (
    <p className={stageLine}>{content}</p>
  );
}

const charactersPerFrame = 12;
const allowsMotion = (): boolean => !matchMedia("(prefers-reduced-motion: reduce)").matches;

/**
 * Reveals a complete text as if it were streamed if `animate` is set; at once if the user prefers
 * reduced motion.
 */
function useTypewriter(text: string, animate: boolean): string {
  const [wasAnimated, setWasAnimated] = useState(false);
  const [shown, setShown] = useState(Infinity);
  // The answer mounts empty before its text arrives, so what matters is when it starts to be
  // animated.
  if (animate !== wasAnimated) {
    setWasAnimated(animate);
    setShown(animate && allowsMotion() ? 0 : Infinity);
  }
  useEffect(() => {
    if (shown >= text.length) return;
    const frame = requestAnimationFrame(() => setShown(shown + charactersPerFrame));
    return () => cancelAnimationFrame(frame);
  }, [shown, text]);
  return text.slice(0, shown);
}

/** What is kept after a failure, and whether the language model's settings may be the cause. */
function hintOf({
  answer,
  chatId,
  error,
  isUnsent,
}: TurnView): "failedKept" | "failedHelp" | "failedQuestionKept" | "notSentHint" {
  if (isUnsent) return "notSentHint";
  if (answer) return "failedKept";
  const isModelFault =
    typeof error === "object" && error !== null
      ? /^(provider|egress)\.|^generation\.empty$/.test(error.code)
      : chatId !== null; // the server has the question, but an answer without a code
  return isModelFault ? "failedHelp" : "failedQuestionKept";
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
  const cited = useMemo(
    () => citedNumbers(turn.answer, turn.sources.length),
    [turn.answer, turn.sources],
  );
  const edited = useEditedText(turn.key, "answer");
  const text = useTypewriter(turn.answer, turn.animate);
  const writing = isOpen(turn.phase);
  const citations = useMemo<Citations>(
    () => ({
      open:
        turn.sources.length > 0
          ? (number, words) => {
              if (!openWebPage(turn.sources[number - 1]))
                actions.onOpenSource(turn, number, "page", words);
            }
          : null,
      active: activeSource,
      sources: turn.sources,
    }),
    [turn, activeSource, actions],
  );
  const run = useMemo<AnswerSteps | null>(
    () =>
      turn.steps.length === 0
        ? null
        : {
            steps: turn.steps,
            places: turn.places,
            generationId: turn.generationId,
            isRunning: writing,
            onRetry:
              writing || turn.chatId === null || turn.generationId === null
                ? null
                : (step) => actions.onRetryStep(turn, step),
          },
    [turn, writing, actions],
  );
  // The panel shows documents; web pages open in tabs of their own.
  const firstDocument = turn.sources.findIndex((source) => webPageOf(source) === null) + 1;
  const isClosest = turn.answerKind === "closest-passages";
  // Without a model, switching to chat adds no general knowledge.
  const isQuoting = turn.metrics?.provider === quotingProvider;
  // The question already shows that it is queued.
  if (turn.place !== null || (turn.pendingId !== null && turn.phase === "queued")) return null;
  const again = (
    <Button size="sm" onClick={() => actions.onRetry(turn)}>
      <RotateCcw className="size-3.5 stroke-2" aria-hidden="true" />
      {turn.isUnsent ? t("sendNow") : turn.phase === "failed" ? t("retry") : t("askAgain")}
    </Button>
  );
  return (
    <article
      aria-label={t("answer")}
      aria-busy={writing}
      className="min-w-0"
      data-writing={turn.phase === "writing" && !turn.reconnecting ? "" : undefined}
    >
      {turn.notices.map((notice, index) => (
        <p className="mb-2 border-s-2 border-line ps-2.5 text-fg-3" key={index}>
          <FaultText fault={notice} fallback={t("noticeUnknown")} />
        </p>
      ))}
      <Stage
        turn={turn}
        onOpen={
          firstDocument > 0
            ? () => actions.onOpenSource(turn, firstDocument, "passages", null)
            : null
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
        (turn.answer || turn.thoughts.length > 0 || run !== null) &&
        (isClosest ? (
          <ClosestPassages
            answer={turn.answer}
            sources={turn.sources}
            active={activeSource}
            onOpen={(number) => actions.onOpenSource(turn, number, "page", null)}
          />
        ) : (
          <AnswerText
            id={turn.key}
            text={text}
            thoughts={turn.thoughts}
            run={run}
            growing={writing || text.length < turn.answer.length}
            citations={citations}
            count={turn.sources.length > 0 || !writing ? turn.sources.length : null}
          />
        ))
      )}
      {turn.phase === "failed" && (
        <div className="mt-2">
          <Notice
            kind="bad"
            action={
              <>
                {turn.chatId === null && (
                  <Button variant="quiet" size="sm" onClick={() => actions.onDiscard(turn)}>
                    {t("discard")}
                  </Button>
                )}
                {again}
              </>
            }
          >
            <p>
              <b>
                {turn.isUnsent ? (
                  t("notSent")
                ) : turn.error ? (
                  <FaultText fault={turn.error} fallback={t("failed")} />
                ) : (
                  t("failed")
                )}
              </b>
            </p>
            <p>{t(hintOf(turn))}</p>
          </Notice>
        </div>
      )}
      {turn.phase === "refused" && turn.metrics !== null && !isQuoting && (
        <p className="text-fg-3 mt-2">{t("refused")}</p>
      )}
      {isQuoting && turn.answerKind === "nothing-found" && <NoModelHint />}
      {!writing && turn.phase !== "failed" && turn.sources.length > 0 && !isClosest && (
        <Detail space="mt-4 h-7 max-md:h-9">
          <SourceChips
            sources={turn.sources}
            cited={cited}
            active={activeSource}
            onOpen={(number) => actions.onOpenSource(turn, number, "page", null)}
          />
        </Detail>
      )}
      {turn.phase === "done" && turn.answer === "" && (run ?? turn.thoughts.length > 0) && (
        <p className="text-fg-3 mt-2">{t("onlyThought")}</p>
      )}
      {turn.phase === "stopped" && <div className="mt-2">{again}</div>}
      {!writing && edited === null && (turn.answer || turn.chatId !== null) && (
        <Detail space="mt-2 h-7 max-md:h-10">
          <ActionRow turn={turn} actions={actions} />
        </Detail>
      )}
    </article>
  );
});

/** Where to set up a language model, for those who can, while the instance has none. */
function NoModelHint() {
  const { t } = useTranslation("chat");
  const { admin } = useRights();
  const setup = useQuery(setupQuery).data;
  const hasModel = (setup?.LLMProvider ?? quotingProvider) !== quotingProvider;
  if (!admin || setup === undefined || hasModel) return null;
  return (
    <p className="mt-2 text-fg-3">
      {t("noModel")}{" "}
      <Link className={linkStyles} to="/settings/llm-preference">
        {t("chooseModel")}
      </Link>
    </p>
  );
}
