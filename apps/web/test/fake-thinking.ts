import type { GenerationFrame, ReasoningBlock, ReasoningSpan } from "@carrel/contracts";
import { splitSpans } from "@carrel/contracts/reasoning-spans";

/**
 * What the fake model thinks before an answer; `wasText`: it turns out to be reasoning only at its
 * end.
 */
export interface FakeThinking {
  text: string;
  milliseconds: number;
  wasText?: boolean;
}

/** The frames of an answer that begins with reasoning, inline as the server writes it. */
export function thinkingFrames(
  uuid: string,
  { text, milliseconds, wasText = false }: FakeThinking,
  partLength: number,
): GenerationFrame[] {
  const chunk = (textResponse: string): GenerationFrame => ({
    type: "textResponseChunk",
    uuid,
    textResponse,
    sources: [],
    close: false,
    error: false,
  });
  const opening = wasText ? "" : "<think>";
  const pieces = text.match(new RegExp(`[^]{1,${partLength}}`, "g")) ?? [];
  const end = `${opening}${text}</think>`.length;
  const span = (at: number | null, spent: number): GenerationFrame => ({
    type: "generationReasoning",
    start: 0,
    end: at,
    milliseconds: spent,
  });
  return [
    ...(wasText ? [] : [span(null, 0)]),
    ...pieces.map((piece, index) => chunk(index === 0 ? opening + piece : piece)),
    span(end, milliseconds),
    chunk("</think>"),
  ];
}

/** The answer as the server records it. */
export function recordThinking(frames: readonly string[]): {
  answer: string;
  reasoning?: ReasoningBlock[];
} {
  let text = "";
  const spans: ReasoningSpan[] = [];
  for (const data of frames) {
    const frame = JSON.parse(data) as GenerationFrame;
    if (!("type" in frame)) continue;
    if (frame.type === "textResponseChunk") text += frame.textResponse;
    if (frame.type === "generationRewind") text = text.slice(0, frame.to);
    if (frame.type === "generationReasoning")
      spans.splice(0, 1, { ...frame, end: frame.end ?? Infinity });
  }
  const { answer, reasoning } = splitSpans(
    text,
    spans.map((span) => ({ ...span, end: Math.min(span.end, text.length) })),
  );
  return { answer, ...(reasoning.length > 0 && { reasoning }) };
}
