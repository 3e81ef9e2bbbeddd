import { isFinished, type RunEvent, type StepLine } from "./answer-parts.ts";

/** More finished steps in a row are folded into one line. */
const mostLines = 6;
/** While an answer is written, so many of its latest finished steps are shown. */
const latest = 2;

const isOver = ({ step, thought }: RunEvent): boolean =>
  step === null ? thought.since === null : isFinished(step);

/** Which of a run's thoughts and steps are folded into one line, and which follow it. */
export function foldSteps<Step extends StepLine>(
  events: readonly RunEvent<Step>[],
  isLive: boolean,
): { folded: readonly RunEvent<Step>[]; shown: readonly RunEvent<Step>[] } {
  const firstOpen = events.findIndex((event) => !isOver(event));
  const over = firstOpen === -1 ? events.length : firstOpen;
  const steps = events.slice(0, over).flatMap(({ step }, index) => (step === null ? [] : index));
  if (steps.length <= mostLines) return { folded: [], shown: events };
  const end = isLive ? steps[steps.length - latest]! : over;
  return { folded: events.slice(0, end), shown: events.slice(end) };
}
