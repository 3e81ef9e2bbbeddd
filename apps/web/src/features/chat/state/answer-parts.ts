import type { SharedStep } from "@carrel/contracts";
import { createStore, useStore } from "../../../lib/store.ts";
import type { Thought } from "./thoughts.ts";

/** What is known of every step, also in a shared conversation. */
export type StepLine = SharedStep;

export const isFinished = ({ state }: StepLine): boolean =>
  state !== "running" && state !== "waiting";

/** A thought or a step, by a key that is unique in its answer. */
export type RunEvent<Step extends StepLine = StepLine> =
  | { key: string; thought: Thought; step: null }
  | { key: string; thought: null; step: Step };

/** Thoughts and steps that follow each other without text between them, and the text after them. */
export interface AnswerPart<Step extends StepLine = StepLine> {
  events: RunEvent<Step>[];
  text: string;
}

/**
 * The parts of an answer in order.
 * @param answer as much of it as is shown
 * @param places where in the answer the steps are
 */
export function cutParts<Step extends StepLine>(
  answer: string,
  thoughts: readonly Thought[],
  steps: readonly Step[] = [],
  places: readonly number[] = [],
): AnswerPart<Step>[] {
  const parts: AnswerPart<Step>[] = [{ events: [], text: "" }];
  let position = 0;
  const add = (at: number, event: RunEvent<Step>): void => {
    const text = answer.slice(position, at);
    const last = parts.at(-1)!;
    position = Math.max(position, at);
    if (text.trim() === "") last.events.push(event);
    else {
      last.text = text;
      parts.push({ events: [event], text: "" });
    }
  };
  let thought = 0;
  const addThoughts = (isNext: (thought: Thought) => boolean): void => {
    for (let next; (next = thoughts[thought]) && next.at <= answer.length && isNext(next);) {
      add(next.at, { key: String(thought), thought: next, step: null });
      thought += 1;
    }
  };
  for (const [index, step] of steps.entries()) {
    const at = places[index] ?? 0;
    // What is revealed piece by piece shows its steps when their places are reached.
    if (at > answer.length) break;
    addThoughts((next) => next.at < at || (next.at === at && (next.steps ?? 0) <= index));
    add(at, { key: `s${step.id}`, thought: null, step });
  }
  addThoughts(() => true);
  parts.at(-1)!.text = answer.slice(position);
  return parts.filter(({ events, text }) => events.length > 0 || text !== "");
}

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

/**
 * Which thoughts and steps are open. Kept outside the rows, which unmount when they leave the
 * viewport.
 */
const unfolded = createStore<ReadonlySet<string>>(new Set());

export const useIsUnfolded = (key: string): boolean => useStore(unfolded, (keys) => keys.has(key));
export const toggleFold = (key: string): void =>
  unfolded.set((keys) => {
    const next = new Set(keys);
    if (!next.delete(key)) next.add(key);
    return next;
  });
