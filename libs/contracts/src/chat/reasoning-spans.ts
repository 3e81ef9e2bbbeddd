/*
 * An answer's text contains the model's reasoning inline, as existing clients expect (wire-contract
 * 4.3). Spans mark those parts of the text, so that no reader has to rely on the tags. The web app
 * includes this file, so it imports nothing.
 */

/** A part of an answer's text that is reasoning, with its tags; positions are UTF-16 units. */
export interface ReasoningSpan {
  start: number;
  end: number;
  /** How long the model thought; null: unknown. */
  milliseconds: number | null;
}

/** A span as announced while the answer is written; its end is unknown at first. */
export interface OpenReasoningSpan {
  start: number;
  end: number | null;
  milliseconds: number;
}

/** Reasoning apart from the answer. */
export interface ReasoningBlock {
  /** Its position in the answer, in UTF-16 units; 0: before it. */
  at: number;
  text: string;
  milliseconds: number | null;
}

export interface SplitAnswer {
  answer: string;
  reasoning: ReasoningBlock[];
}

/** A part of a text that isn't the answer; `from` and `to` exclude its tags. */
export interface ReasoningRegion extends ReasoningSpan {
  from: number;
  to: number;
}

export const reasoningTags = { open: "<think>", close: "</think>" } as const;

/** Text after reasoning starts a new paragraph. */
const stepBreak = "\n\n";

/** Separates an answer from its reasoning. */
export const splitSpans = (text: string, spans: readonly ReasoningSpan[]): SplitAnswer =>
  splitRegions(
    text,
    spans.map((span) => findTags(text, span)),
  );

export function splitRegions(text: string, regions: readonly ReasoningRegion[]): SplitAnswer {
  if (regions.length === 0) return { answer: text, reasoning: [] };
  const reasoning: ReasoningBlock[] = [];
  const steps: string[] = [];
  let [length, position] = [0, 0];
  const addStep = (step: string): void => {
    if (step.trim() === "") return;
    length += step.length + (steps.length === 0 ? 0 : stepBreak.length);
    steps.push(step);
  };
  for (const { start, end, from, to, milliseconds } of regions) {
    addStep(text.slice(position, start).trim());
    position = end;
    const thought = text.slice(from, to).trim();
    if (thought !== "") reasoning.push({ at: length, text: thought, milliseconds });
  }
  addStep(text.slice(position).trimStart());
  return { answer: steps.join(stepBreak), reasoning };
}

function findTags(text: string, { start, end, milliseconds }: ReasoningSpan): ReasoningRegion {
  const { open, close } = reasoningTags;
  const from = text.startsWith(open, start) ? Math.min(start + open.length, end) : start;
  const to = text.slice(from, end).endsWith(close) ? end - close.length : end;
  return { start, end, from, to, milliseconds };
}
