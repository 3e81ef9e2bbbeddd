import {
  reasoningTags,
  type CarrelFrame,
  type FaultWire,
  type OpenReasoningSpan,
  type ReasoningSpan,
  type RunStep,
  type SourceWire,
} from "@carrel/contracts";
import { StreamTakenError, type Streams } from "@carrel/messaging";
import {
  abortFrames,
  breakOffFrames,
  buildEndFrames,
  chunkFrame,
  reasoningFrame,
  stageFrame,
  type StoredAnswer,
} from "./frames.ts";
import { streamKey } from "./generation-output.ts";

export const conversationDeleted: FaultWire = { code: "generation.conversation-deleted" };

interface Told {
  type?: string;
  textResponse?: string | null;
  close?: boolean;
  sources?: SourceWire[];
  notice?: FaultWire | string;
  start?: number;
  end?: number | null;
  milliseconds?: number;
  to?: number;
  step?: RunStep;
}

export interface RecoveredAnswer {
  text: string;
  /**
   * Which parts of the text are reasoning; null if its writer may not have said, like older
   * versions.
   */
  reasoning: ReasoningSpan[] | null;
  notices: FaultWire[];
  sources: SourceWire[] | null;
  steps: RunStep[];
  /** Whether nothing can be added to its stream. */
  hasEnded: boolean;
}

/** No stream is left. */
const noAnswer: RecoveredAnswer = {
  text: "",
  reasoning: null,
  notices: [],
  sources: null,
  steps: [],
  hasEnded: false,
};

/** The text that readers of these parts have seen, without what was withdrawn. */
function textOf(parts: readonly string[]): string {
  let text = "";
  for (const part of parts) {
    const { type, textResponse, close, to } = JSON.parse(part) as Told;
    if (type === "generationRewind") text = text.slice(0, to);
    if (type === "textResponseChunk" && close !== true) text += textResponse ?? "";
  }
  return text;
}

/** Which parts of that text are reasoning; the last frame about each counts. */
function spansOf(parts: readonly string[]): OpenReasoningSpan[] {
  const spans = new Map<number, OpenReasoningSpan>();
  for (const part of parts) {
    if (part.startsWith('{"type":"generationRewind"')) {
      const { to = 0 } = JSON.parse(part) as Told;
      for (const start of spans.keys()) if (start >= to) spans.delete(start);
    }
    if (!part.startsWith('{"type":"generationReasoning"')) continue;
    const { start = 0, end = null, milliseconds = 0 } = JSON.parse(part) as Told;
    spans.set(start, { start, end, milliseconds });
  }
  return [...spans.values()].filter(({ start, end }) => end !== start);
}

/** The text as it is stored: with the tag that reasoning lacks if it was shown as an answer. */
function recoverText(parts: readonly string[]): {
  text: string;
  reasoning: ReasoningSpan[];
  added: number;
} {
  const shown = textOf(parts);
  const spans = spansOf(parts);
  const { open } = reasoningTags;
  const lacksTag = shown !== "" && spans[0]?.start === 0 && !shown.startsWith(open);
  const added = lacksTag ? open.length : 0;
  const reasoning = spans
    .filter(({ start }) => start < shown.length)
    .map(({ start, end, milliseconds }) => ({
      start: start === 0 ? 0 : start + added,
      end: Math.min(end ?? shown.length, shown.length) + added,
      milliseconds,
    }));
  return { text: added > 0 ? open + shown : shown, reasoning, added };
}

/** Withdraws reasoning that has no text yet: the next run's text may not be reasoning. */
function takeoverFrame(parts: readonly string[]): CarrelFrame {
  const last = spansOf(parts).at(-1);
  return last !== undefined && last.start >= textOf(parts).length
    ? reasoningFrame({ start: last.start, end: last.start, milliseconds: 0 })
    : stageFrame("writing");
}

/** The sources selected for the answer; null if its writer stopped before that. */
const sourcesOf = (parts: readonly string[]): SourceWire[] | null =>
  parts.reduce<SourceWire[] | null>(
    (known, part) =>
      part.startsWith('{"type":"generationSources"')
        ? ((JSON.parse(part) as Told).sources ?? null)
        : known,
    null,
  );

/** The steps that readers have seen, as they were last. */
function stepsOf(parts: readonly string[]): RunStep[] {
  const steps = new Map<number, RunStep>();
  for (const part of parts) {
    if (!part.startsWith('{"type":"generationStep"')) continue;
    const { step } = JSON.parse(part) as Told;
    if (step !== undefined) steps.set(step.id, step);
  }
  return [...steps.values()];
}

/** The notices shown along with the answer. */
const noticesOf = (parts: readonly string[]): FaultWire[] =>
  parts.flatMap((part) => {
    const { type, notice } = JSON.parse(part) as Told;
    return type === "generationNotice" && typeof notice === "object" ? [notice] : [];
  });

/** Distinguishes closing frames: the last chunk is the one that closes. */
const kindOf = (part: string): string => {
  const { type, close } = JSON.parse(part) as Told;
  return type === "textResponseChunk" ? (close === true ? "closing" : "text") : (type ?? "action");
};

/**
 * Recovers what readers of an answer may have seen when its writer is gone: the text, the notices
 * and the sources (null if unknown); all are empty if there is no stream. Appends a harmless part,
 * so that a writer that was merely slow finds its number taken and writes nothing more.
 */
export async function recoverAnswer(
  streams: Streams,
  generationId: string,
): Promise<RecoveredAnswer> {
  for (;;) {
    const stored = await streams.load(streamKey(generationId));
    if (stored === null) return noAnswer;
    try {
      const { text, reasoning } = recoverText(stored.parts);
      if (!stored.hasEnded) await stored.writer.write(JSON.stringify(takeoverFrame(stored.parts)));
      return {
        text,
        reasoning: reasoning.length === 0 ? null : reasoning,
        notices: noticesOf(stored.parts),
        sources: sourcesOf(stored.parts),
        steps: stepsOf(stored.parts),
        hasEnded: stored.hasEnded,
      };
    } catch (error) {
      if (!(error instanceof StreamTakenError)) throw error;
    }
  }
}

/**
 * Completes the stream of an ended answer from wherever it stopped: the missing text, the missing
 * closing frames, the end. Idempotent and safe to run concurrently. A stream that can't be
 * completed because its content differs or has a gap is dropped: readers then fall back to
 * PostgreSQL.
 */
export async function completeStream(streams: Streams, stored: StoredAnswer): Promise<void> {
  const key = streamKey(stored.generationId);
  const stream = await streams.load(key);
  if (stream === null || stream.hasEnded) return;
  const { text: shown, added } = recoverText(stream.parts);
  if (!stream.isWhole || (!stored.refused && !stored.answer.startsWith(shown)))
    return streams.drop(key);
  const present = new Set(stream.parts.map(kindOf));
  const rest = stored.refused ? "" : stored.answer.slice(shown.length);
  const missing = [
    ...(rest === "" ? [] : listSpans(stored.reasoning, shown.length, added).map(reasoningFrame)),
    ...(rest === "" ? [] : [chunkFrame(stored.generationId, rest)]),
    ...buildEndFrames(stored),
  ].map((frame) => JSON.stringify(frame));
  try {
    for (const frame of missing)
      if (repeated.has(kindOf(frame)) || !present.has(kindOf(frame)))
        await stream.writer.write(frame);
    await stream.writer.end();
  } catch (error) {
    // Another replica is completing it.
    if (!(error instanceof StreamTakenError)) throw error;
  }
}

const repeated = new Set(["text", "generationReasoning"]);

/** Spans of the stored text that end after what was shown, as positions in the streamed text. */
const listSpans = (
  spans: readonly ReasoningSpan[] | null,
  shown: number,
  added: number,
): OpenReasoningSpan[] =>
  (spans ?? [])
    .filter(({ end }) => end > shown)
    .map(({ start, end, milliseconds }) => ({
      start: Math.max(0, start - added),
      end: end - added,
      milliseconds: milliseconds ?? 0,
    }));

/**
 * Ends the stream of an answer whose conversation was deleted; false if a writer is still active
 * and it must be retried.
 */
export async function endDeletedStream(streams: Streams, generationId: string): Promise<boolean> {
  const stream = await streams.load(streamKey(generationId));
  // Readers of a lost stream ask PostgreSQL, which no longer has the answer.
  if (stream === null || stream.hasEnded) return true;
  try {
    const endFrames = textOf(stream.parts) === "" ? abortFrames : breakOffFrames;
    for (const frame of endFrames(generationId, conversationDeleted))
      await stream.writer.write(JSON.stringify(frame));
    await stream.writer.end();
    return true;
  } catch (error) {
    if (!(error instanceof StreamTakenError)) throw error;
    return false;
  }
}
