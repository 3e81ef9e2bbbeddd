import type { ReasoningBlock } from "@carrel/contracts";
import { splitSpans } from "@carrel/contracts/reasoning-spans";
import { createStore, useStore } from "../../../lib/store.ts";
import type { Generation } from "./generation.ts";

/** What the model thought at one point in an answer. */
export interface Thought extends ReasoningBlock {
  /** When it started to think, in ms; null: it has ended. */
  since: number | null;
}

/** Blocks at the same place are shown as one. */
export function joinBlocks(blocks: readonly ReasoningBlock[]): Thought[] {
  const thoughts: Thought[] = [];
  for (const block of blocks) {
    const last = thoughts.at(-1);
    if (last?.at !== block.at) thoughts.push({ ...block, since: null });
    else {
      last.text += `\n\n${block.text}`;
      last.milliseconds =
        last.milliseconds === null || block.milliseconds === null
          ? null
          : last.milliseconds + block.milliseconds;
    }
  }
  return thoughts;
}

/** The answer of a stream, and what the model has thought so far. */
export function splitGeneration(
  { text, reasoning }: Pick<Generation, "text" | "reasoning">,
  isWriting: boolean,
): { answer: string; thoughts: Thought[] } {
  if (reasoning.length === 0) return { answer: text, thoughts: [] };
  const spans = reasoning
    .filter(({ start }) => start < text.length)
    .map((span) => ({ ...span, end: Math.min(span.end ?? text.length, text.length) }));
  const split = splitSpans(text, spans);
  const thoughts = joinBlocks(split.reasoning);
  const since = reasoning.at(-1)?.since ?? null;
  const last = thoughts.at(-1);
  if (last && isWriting && since !== null && spans.length === reasoning.length) last.since = since;
  return { answer: split.answer, thoughts };
}

/** A part of an answer's text between thoughts. */
export interface AnswerPart {
  thought: Thought | null;
  text: string;
}

/** @param length how much of the answer is shown */
export function cutParts(answer: string, thoughts: readonly Thought[]): AnswerPart[] {
  const places = thoughts.filter(({ at }) => at <= answer.length);
  const first = places[0]?.at ?? answer.length;
  return [
    ...(first > 0 ? [{ thought: null, text: answer.slice(0, first) }] : []),
    ...places.map((thought, index) => ({
      thought,
      text: answer.slice(thought.at, places[index + 1]?.at ?? answer.length),
    })),
  ];
}

/** Which thoughts are open. Kept outside the rows, which unmount when they leave the viewport. */
const openThoughts = createStore<ReadonlySet<string>>(new Set());

export const useIsThoughtOpen = (key: string): boolean =>
  useStore(openThoughts, (keys) => keys.has(key));
export const toggleThought = (key: string): void =>
  openThoughts.set((keys) => {
    const next = new Set(keys);
    if (!next.delete(key)) next.add(key);
    return next;
  });
