import type { ReasoningBlock, RunStep } from "@carrel/contracts";
import { splitSpans } from "@carrel/contracts/reasoning-spans";
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
    if (last?.at !== block.at || last.steps !== block.steps)
      thoughts.push({ ...block, since: null });
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

/** The answer of a stream, what the model has thought so far, and where its steps are. */
export function splitGeneration(
  { text, reasoning, steps }: Pick<Generation, "text" | "reasoning" | "steps">,
  isWriting: boolean,
): { answer: string; thoughts: Thought[]; steps: readonly RunStep[]; places: readonly number[] } {
  const spans = reasoning
    .filter(({ start }) => start < text.length)
    .map((span) => ({ ...span, end: Math.min(span.end ?? text.length, text.length) }));
  const split = splitSpans(
    text,
    spans,
    steps.map(({ at }) => at),
  );
  const thoughts = joinBlocks(split.reasoning);
  const since = reasoning.at(-1)?.since ?? null;
  const last = thoughts.at(-1);
  if (last && isWriting && since !== null && spans.length === reasoning.length) last.since = since;
  return { answer: split.answer, thoughts, steps, places: split.steps ?? [] };
}
