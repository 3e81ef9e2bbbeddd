import { z } from "zod";
import {
  reasoningTags,
  splitSpans,
  type OpenReasoningSpan,
  type ReasoningSpan,
  type SplitAnswer,
} from "./reasoning-spans.ts";
import { splitWritten } from "./reasoning-tags.ts";

/** Reasoning apart from the answer, as `ReasoningBlock`. */
export const reasoningBlock = z.object({
  at: z.number().int(),
  text: z.string(),
  milliseconds: z.number().nullable(),
  steps: z.number().int().optional(),
});

/** What is stored with an answer. */
export interface RecordedReasoning {
  /** Length of the text that has these spans; they become invalid when only the text changes. */
  length: number;
  spans: ReasoningSpan[];
}

export const recordReasoning = (text: string, spans: ReasoningSpan[]): RecordedReasoning => ({
  length: text.length,
  spans,
});

/** null: unknown, because an older version stored the text or a client rewrote it. */
export const readRecorded = (
  text: string,
  recorded: RecordedReasoning | null,
): ReasoningSpan[] | null => (recorded?.length === text.length ? recorded.spans : null);

/** Separates an answer from its reasoning; without spans, by the text's own tags. */
export function splitReasoning(text: string, recorded: RecordedReasoning | null): SplitAnswer {
  const spans = readRecorded(text, recorded);
  return spans === null ? splitWritten(text) : splitSpans(text, spans);
}

/** Where a position in a text with reasoning is in its answer alone. */
export function placeInAnswer(
  text: string,
  recorded: RecordedReasoning | null,
  position: number,
): number {
  const spans = readRecorded(text, recorded) ?? [];
  const before = spans
    .filter(({ start }) => start < position)
    .map((span) => ({ ...span, end: Math.min(span.end, position) }));
  return splitSpans(text.slice(0, position), before).answer.length;
}

/** The answer alone. */
export const withoutReasoning = (text: string, recorded: RecordedReasoning | null): string =>
  splitReasoning(text, recorded).answer;

export interface AnswerPiece {
  type: "text" | "reasoning";
  text: string;
}

/**
 * Separates an answer that arrives in pieces; a span is announced before the text in which it ends.
 */
export class ReasoningSplitter {
  private readonly spans = new Map<number, OpenReasoningSpan>();
  private position = 0;

  /** If several spans have the same start, the last one counts. */
  announce(span: OpenReasoningSpan): void {
    this.spans.set(span.start, span);
  }

  push(text: string): AnswerPiece[] {
    const pieces: AnswerPiece[] = [];
    const begin = this.position;
    this.position += text.length;
    let from = begin;
    while (from < this.position) {
      const span = this.spanAt(from);
      const next = span === null ? this.nextStart(from) : (span.end ?? Infinity);
      const to = Math.min(next, this.position);
      const piece = text.slice(from - begin, to - begin);
      const shown =
        span === null ? piece : this.withoutTags(piece, from === span.start, to === span.end);
      if (shown !== "") pieces.push({ type: span === null ? "text" : "reasoning", text: shown });
      from = to;
    }
    return pieces;
  }

  private spanAt(position: number): OpenReasoningSpan | null {
    for (const span of this.spans.values())
      if (span.start <= position && (span.end === null || position < span.end)) return span;
    return null;
  }

  private nextStart(position: number): number {
    const starts = [...this.spans.keys()].filter((start) => start > position);
    return Math.min(Infinity, ...starts);
  }

  private withoutTags(piece: string, begins: boolean, ends: boolean): string {
    const { open, close } = reasoningTags;
    const opened = begins && piece.startsWith(open) ? piece.slice(open.length) : piece;
    return ends && opened.endsWith(close) ? opened.slice(0, -close.length) : opened;
  }
}
