import { Suspense, useMemo } from "react";
import { lazyPart } from "../../../lib/lazy-part.ts";
import { cutParts, type StepLine } from "../state/answer-parts.ts";
import type { Thought as ThoughtView } from "../state/thoughts.ts";
import Markdown, { type Citations } from "./markdown.tsx";
import { Thought } from "./thought.tsx";

const RunSteps = lazyPart(() => import("./run-steps.tsx"));

/** The steps of an answer. */
export interface AnswerSteps {
  steps: readonly StepLine[];
  /** Where in the answer they are. */
  places: readonly number[];
  /** null: only their lines are known. */
  generationId: string | null;
  /** They may still change. */
  isRunning: boolean;
  /** Writes a new version that keeps the steps before this one; null if that's impossible. */
  onRetry: ((step: number) => void) | null;
}

/** An answer's text, with the model's thoughts and the steps of its tools at their places. */
export function AnswerText({
  id,
  text,
  thoughts,
  run = null,
  growing,
  citations,
  count,
}: {
  /** The turn's ID. */
  id: string;
  text: string;
  thoughts: readonly ThoughtView[];
  /** null: it has no steps. */
  run?: AnswerSteps | null;
  growing: boolean;
  citations: Citations;
  count: number | null;
}) {
  const parts = useMemo(
    () => cutParts(text, thoughts, run?.steps, run?.places),
    [text, thoughts, run?.steps, run?.places],
  );
  return parts.map((part, index) => {
    const isLast = index === parts.length - 1;
    return (
      <div
        // Keyed by what begins it: text may appear before it, or turn out to be a thought.
        key={part.events[0]?.key ?? "text"}
        className={index > 0 ? "mt-3" : undefined}
        data-growing={growing && isLast ? "" : undefined}
      >
        {run && part.events.some(({ step }) => step !== null) ? (
          <Suspense fallback={<div style={{ blockSize: part.events.length * lineHeight }} />}>
            <RunSteps
              id={id}
              events={part.events}
              generationId={run.generationId}
              isRunning={run.isRunning}
              onRetry={run.onRetry}
              isLast={isLast && part.text === ""}
            />
          </Suspense>
        ) : (
          part.events.map(
            ({ key, thought }) =>
              thought && <Thought key={key} id={`${id}/${key}`} thought={thought} />,
          )
        )}
        {part.text && (
          <Markdown
            text={part.text}
            growing={growing && isLast}
            citations={citations}
            count={count}
          />
        )}
      </div>
    );
  });
}

/** Of a step, until the code for steps has been loaded. */
const lineHeight = 28;
