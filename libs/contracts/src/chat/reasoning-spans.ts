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
  /** How many steps precede it (run-step.ts); absent: none. */
  steps?: number;
}

export interface SplitAnswer {
  answer: string;
  reasoning: ReasoningBlock[];
  /** The positions of steps in the answer; absent if it has none. */
  steps?: number[];
}

/** A part of a text that isn't the answer; `from` and `to` exclude its tags. */
export interface ReasoningRegion extends ReasoningSpan {
  from: number;
  to: number;
}

export const reasoningTags = { open: "<think>", close: "</think>" } as const;

/** Text after reasoning starts a new paragraph. */
const stepBreak = "\n\n";

/**
 * Separates an answer from its reasoning. `steps`: where in the text its steps are, in ascending
 * order.
 */
export const splitSpans = (
  text: string,
  spans: readonly ReasoningSpan[],
  steps: readonly number[] = [],
): SplitAnswer =>
  splitRegions(
    text,
    spans.map((span) => findTags(text, span)),
    steps,
  );

export function splitRegions(
  text: string,
  regions: readonly ReasoningRegion[],
  steps: readonly number[] = [],
): SplitAnswer {
  if (regions.length === 0)
    return { answer: text, reasoning: [], ...(steps.length > 0 && { steps: [...steps] }) };
  const reasoning: ReasoningBlock[] = [];
  const parts: string[] = [];
  const places: number[] = [];
  let [length, position] = [0, 0];
  /** Adds the text between `position` and `end`. */
  const addPart = (end: number, part: string): void => {
    const before = length;
    const leading = text.indexOf(part.charAt(0), position);
    if (part.trim() !== "") {
      length += part.length + (parts.length === 0 ? 0 : stepBreak.length);
      parts.push(part);
    }
    for (let at; (at = steps[places.length]) !== undefined && at <= end;)
      places.push(at <= leading ? before : Math.min(length, length - part.length + at - leading));
    position = end;
  };
  for (const { start, end, from, to, milliseconds } of regions) {
    addPart(start, text.slice(position, start).trim());
    position = end;
    const thought = text.slice(from, to).trim();
    const earlier = places.length > 0 && { steps: places.length };
    if (thought !== "") reasoning.push({ at: length, text: thought, milliseconds, ...earlier });
  }
  addPart(Infinity, text.slice(position).trimStart());
  return {
    answer: parts.join(stepBreak),
    reasoning,
    ...(steps.length > 0 && { steps: places }),
  };
}

function findTags(text: string, { start, end, milliseconds }: ReasoningSpan): ReasoningRegion {
  const { open, close } = reasoningTags;
  const from = text.startsWith(open, start) ? Math.min(start + open.length, end) : start;
  const to = text.slice(from, end).endsWith(close) ? end - close.length : end;
  return { start, end, from, to, milliseconds };
}
