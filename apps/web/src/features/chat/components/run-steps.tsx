import type { RunStep } from "@carrel/contracts";
import { ListChecks } from "lucide-react";
import { Fragment, useEffect, useId, useMemo, useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { LiveDots } from "../../../components/ui/progress.tsx";
import { formatDuration } from "../../../lib/format.ts";
import {
  foldSteps,
  isFinished,
  toggleFold,
  useIsUnfolded,
  type RunEvent,
  type StepLine as Line,
} from "../state/answer-parts.ts";
import { sayStep, verbOf } from "../state/step-words.ts";
import { Chevron, StepLine, stepButton } from "./step-line.tsx";
import { StepOutputs } from "./step-outputs.tsx";
import { Thought } from "./thought.tsx";

/** With its input and result, unlike in a shared conversation. */
const isWhole = (step: Line): step is RunStep => "outputs" in step;

const listStyles = "grid grid-cols-1 gap-px not-last:mb-2";

/** Once an answer has ended, none of its steps is running, even if this tab missed their end. */
const endEvent = (event: RunEvent): RunEvent =>
  event.step === null || isFinished(event.step)
    ? event
    : { ...event, step: { ...event.step, state: "stopped" } };

/**
 * Steps that follow each other without text between them, with the thoughts between them, and what
 * they add to the answer. Many finished ones are one line.
 */
export default function RunSteps({
  id,
  events: recorded,
  generationId,
  isRunning,
  onRetry,
  isLast,
}: {
  /** The turn's ID. */
  id: string;
  events: readonly RunEvent[];
  generationId: string | null;
  /** The answer is still being written. */
  isRunning: boolean;
  onRetry: ((step: number) => void) | null;
  /** Nothing follows in the answer so far. */
  isLast: boolean;
}) {
  const { t } = useTranslation("steps");
  const isLive = isRunning && isLast;
  const events = useMemo(
    () => (isRunning ? recorded : recorded.map(endEvent)),
    [recorded, isRunning],
  );
  const { folded, shown } = foldSteps(events, isLive);
  // What still runs or waits comes after what earlier steps add: that is where people look.
  const first = shown.findIndex(({ step }) => step !== null && !isFinished(step));
  const [over, current] =
    isLive && first !== -1 ? [shown.slice(0, first), shown.slice(first)] : [shown, []];
  const draw = (event: RunEvent): ReactNode => (
    <li key={event.key} className="min-w-0">
      {event.thought ? (
        <Thought id={`${id}/${event.key}`} thought={event.thought} />
      ) : (
        <StepLine
          id={`${id}/${event.key}`}
          step={event.step}
          whole={isWhole(event.step) ? event.step : null}
          generationId={generationId}
          isRunning={isRunning}
          onRetry={onRetry}
        />
      )}
    </li>
  );
  const last = events.at(-1);
  // Between two steps, the model is at work.
  const isBetween = isLive && last?.step != null && isFinished(last.step);
  const waiting = isRunning
    ? events.find(({ step }) => step?.state === "waiting")?.step
    : undefined;
  return (
    <>
      {folded.length + over.length > 0 && (
        <ul className={listStyles} aria-label={t("steps")} data-steps>
          {folded.length > 0 && (
            <li className="min-w-0">
              <Group id={`${id}/${folded[0]!.key}+`} events={folded}>
                {folded.map(draw)}
              </Group>
            </li>
          )}
          {over.map(draw)}
        </ul>
      )}
      {events.map(({ key, step }) => (
        <Fragment key={key}>
          {step && isWhole(step) && step.outputs.length > 0 && (
            <StepOutputs outputs={step.outputs} />
          )}
        </Fragment>
      ))}
      {(current.length > 0 || isBetween) && (
        <ul className={listStyles} aria-label={t("steps")} data-steps>
          {current.map(draw)}
          {isBetween && (
            <li className="flex min-h-7 items-center gap-2 px-1 text-fg-3">
              <LiveDots className="w-4 justify-center" />
              {t("working")}
            </li>
          )}
        </ul>
      )}
      {isRunning && <StepAnnouncer step={events.findLast(({ step }) => step)?.step ?? null} />}
      {waiting && <WaitingTitle />}
    </>
  );
}

/** Finished steps as one line. */
function Group({
  id,
  events,
  children,
}: {
  id: string;
  events: readonly RunEvent[];
  children: ReactNode;
}) {
  const { t } = useTranslation("steps");
  const isOpen = useIsUnfolded(id);
  const list = useId();
  const steps = events.flatMap(({ step }) => step ?? []);
  const failed = steps.filter(({ state }) => state === "failed" || state === "unknown").length;
  const spent = events.reduce(
    (sum, { step, thought }) => sum + ((step ?? thought)?.milliseconds ?? 0),
    0,
  );
  return (
    <div data-fold="" className="min-w-0">
      <button
        type="button"
        className={stepButton}
        aria-expanded={isOpen}
        aria-controls={isOpen ? list : undefined}
        onClick={() => toggleFold(id)}
      >
        <ListChecks className="size-4 flex-none stroke-[1.75]" aria-hidden="true" />
        <span className="text-fg-2">{t("group", { count: steps.length })}</span>
        {failed > 0 && <span>{t("groupFailed", { count: failed })}</span>}
        {spent > 0 && <span className="tabular-nums">{formatDuration(spent)}</span>}
        <Chevron isOpen={isOpen} />
      </button>
      {isOpen && (
        <ul
          id={list}
          className="ms-3 grid grid-cols-1 gap-px border-s border-line ps-2"
          aria-label={t("group", { count: steps.length })}
        >
          {children}
        </ul>
      )}
    </div>
  );
}

/** Shorter steps aren't announced (ms). */
const announceAfter = 800;

/** Says to screen readers what the run does or waits for, without moving the focus. */
function StepAnnouncer({ step }: { step: Line | null }) {
  const { t } = useTranslation("steps");
  const question =
    step && isWhole(step) && step.form ? (step.form.questions[0]?.question ?? "") : null;
  const words =
    step?.state === "waiting"
      ? question === null
        ? t("approval.announce", { action: sayStep(t, step) })
        : t("form.announce", { question })
      : step?.state === "running"
        ? verbOf(t, step)
        : "";
  const [spoken, setSpoken] = useState("");
  useEffect(() => {
    const timer = setTimeout(() => setSpoken(words), announceAfter);
    return () => clearTimeout(timer);
  }, [words]);
  return (
    <div className="sr-only" aria-live="polite">
      {spoken}
    </div>
  );
}

/** Says in the tab's title that the answer waits for the person. */
function WaitingTitle() {
  const { t } = useTranslation("steps");
  useEffect(() => {
    const before = document.title;
    const title = t("waitingTitle", { title: before });
    document.title = title;
    return () => {
      if (document.title === title) document.title = before;
    };
  }, [t]);
  return null;
}
