import type { RunStep } from "@carrel/contracts";
import { clipText } from "@carrel/contracts/clip-text";
import { ChevronRight } from "lucide-react";
import { memo, useEffect, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { SkillIcon } from "../../../components/skill-icon.tsx";
import { LiveDots, ProgressBar } from "../../../components/ui/progress.tsx";
import { cn } from "../../../lib/cn.ts";
import { formatDuration, formatSeconds } from "../../../lib/format.ts";
import {
  isFinished,
  toggleFold,
  useIsUnfolded,
  type StepLine as Line,
} from "../state/answer-parts.ts";
import { withoutHidden } from "../state/safe-text.ts";
import { verbOf } from "../state/step-words.ts";
import { ApprovalCard } from "./approval-card.tsx";
import { QuestionForm } from "./question-form.tsx";
import { StepDetail } from "./step-detail.tsx";

/** The line of a step, or of several. */
export const stepButton =
  "-ms-1 flex min-h-7 max-w-full items-center gap-2 rounded-sm px-1 text-start text-fg-3 hover:bg-hover hover:text-fg-1 max-md:min-h-9";

export const Chevron = ({ isOpen }: { isOpen: boolean }) => (
  <ChevronRight
    className={cn(
      "size-3.5 flex-none stroke-2 transition-transform duration-150 motion-reduce:transition-none rtl:-scale-x-100",
      isOpen && "rotate-90 rtl:-rotate-90",
    )}
    aria-hidden="true"
  />
);

const timeOf = (milliseconds: number): string =>
  milliseconds < 60_000 ? formatSeconds(milliseconds / 1000) : formatDuration(milliseconds);

/** A step as one line: what it does, about what, how long. It opens to its input and result. */
export const StepLine = memo(function StepLine({
  id,
  step,
  whole,
  generationId,
  isRunning,
  onRetry,
}: {
  id: string;
  step: Line;
  /** null: only its line is known. */
  whole: RunStep | null;
  generationId: string | null;
  /** The answer is still being written. */
  isRunning: boolean;
  onRetry: ((step: number) => void) | null;
}) {
  const isOpen = useIsUnfolded(id);
  const panel = useId();
  const address = generationId === null ? null : { id: generationId, step: step.id };
  const line = <LineWords id={id} step={step} form={whole?.form != null} />;
  const isWaiting = isRunning && step.state === "waiting" && whole !== null && address !== null;
  // The seconds that the person takes aren't the step's.
  useEffect(() => {
    if (isWaiting) seen.delete(id);
  }, [isWaiting, id]);
  return (
    <div className="min-w-0" data-step={step.state} data-fold={isFinished(step) ? "" : undefined}>
      {isWaiting ? null : whole === null ? (
        <p className={cn(stepButton, "hover:bg-transparent hover:text-fg-3")}>{line}</p>
      ) : (
        <button
          type="button"
          className={stepButton}
          aria-expanded={isOpen}
          aria-controls={isOpen ? panel : undefined}
          onClick={() => toggleFold(id)}
        >
          {line}
          <Chevron isOpen={isOpen} />
        </button>
      )}
      {whole?.state === "running" && whole.progress !== null && (
        <Progress step={whole} {...whole.progress} />
      )}
      {whole?.state === "running" && whole.note && (
        <p className="ms-6 pb-1 text-xs text-fg-3 wrap-anywhere" role="status">
          {clipText(withoutHidden(whole.note), mostCharacters)}
        </p>
      )}
      {isOpen && whole && (
        <StepDetail
          id={panel}
          step={whole}
          address={address}
          onRetry={onRetry && (() => onRetry(whole.id))}
        />
      )}
      {/* A call that was allowed may still ask something. */}
      {isWaiting && whole.approval?.decision === null && (
        <ApprovalCard step={whole} approval={whole.approval} address={address} />
      )}
      {isWaiting && whole.form && <QuestionForm id={id} form={whole.form} address={address} />}
    </div>
  );
});

/** Of what a step is about; more wouldn't fit its line. */
const mostCharacters = 200;

function LineWords({ id, step, form }: { id: string; step: Line; form: boolean }) {
  const { t } = useTranslation("steps");
  const object = step.object === null ? "" : clipText(withoutHidden(step.object), mostCharacters);
  const isRunning = step.state === "running";
  return (
    <>
      <SkillIcon skill={step.skill} className="size-4 flex-none stroke-[1.75]" />
      <span
        className={cn(
          // Cut only if it is too long even without the object.
          "min-w-0 truncate",
          isRunning
            ? "animate-shimmer text-fg-1 [mask-image:linear-gradient(100deg,#000_40%,#0007_50%,#000_60%)] [mask-size:300%_100%] motion-reduce:animate-none motion-reduce:[mask-image:none]"
            : "text-fg-2",
        )}
      >
        {verbOf(t, step)}
      </span>
      {object !== "" && (
        <bdi className="min-w-0 shrink-[99999] truncate" title={object}>
          {object}
        </bdi>
      )}
      <State step={step} form={form} />
      {isRunning ? (
        <Elapsed id={id} />
      ) : (
        step.milliseconds !== null &&
        step.state !== "denied" &&
        step.skill !== "request-user-input" && (
          <span className="flex-none text-xs tabular-nums">{timeOf(step.milliseconds)}</span>
        )
      )}
    </>
  );
}

function State({ step: { state }, form }: { step: Line; form: boolean }) {
  const { t } = useTranslation("steps");
  if (state === "running" || state === "done") return null;
  const look = "flex-none text-xs";
  if (state === "waiting")
    return (
      <span className={cn(look, "font-medium text-warning")}>
        {t(form ? "state.question" : "state.approval")}
      </span>
    );
  return (
    <span
      className={cn(
        look,
        state === "failed" && "text-danger",
        state === "unknown" && "text-warning",
      )}
    >
      {t(`state.${state}`)}
    </span>
  );
}

/** When steps were first seen running, so that a line that scrolls back counts on. */
const seen = new Map<string, number>();
/** A shorter time isn't shown (ms). */
const shortest = 3_000;

/** Counts the seconds of a step that runs. */
function Elapsed({ id }: { id: string }) {
  const [since] = useState(() => {
    const known = seen.get(id) ?? Date.now();
    seen.set(id, known);
    return known;
  });
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return (
    <>
      <LiveDots className="flex-none" />
      {now - since >= shortest && (
        <span className="flex-none text-xs tabular-nums" aria-hidden="true">
          {formatDuration(now - since)}
        </span>
      )}
    </>
  );
}

function Progress({ step, done, total }: { step: RunStep; done: number; total: number }) {
  const { t } = useTranslation("steps");
  return (
    <div className="ms-6 max-w-60 pb-1.5">
      <ProgressBar
        value={total > 0 ? done / total : 0}
        label={[t("progress"), verbOf(t, step)].join(": ")}
      />
    </div>
  );
}
