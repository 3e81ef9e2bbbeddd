import { CarrelError, type MetricsWire, type SourceWire } from "@carrel/contracts";
import { ProviderError } from "@carrel/providers";
import type { AnswerDraft } from "../answer/answer-draft.ts";
import { AnswerTooLongError } from "../answer/answer-too-long.error.ts";
import { stripNullCharacters } from "../database/null-character.ts";
import { buildMetrics } from "./frames.ts";
import type { GenerationState } from "./generation.entity.ts";
import type { RunnableGeneration } from "./runnable-generation.ts";

/** Why a run is stopped; the abort reason of its signal. */
export type StopReason = "cancel" | "shutdown" | "lost";

/** How a generation ended, for its row, its turn and its thread. */
export interface Ending {
  id: string;
  state: Extract<GenerationState, "done" | "failed" | "cancelled">;
  answer: string;
  notices: string[];
  sources: SourceWire[];
  metrics: MetricsWire | null;
  error: string | null;
  refused: boolean;
  mode: "chat" | "query";
  provider: string | null;
  model: string | null;
  /** Set by the thread's first message. */
  threadName: string | null;
}

/** A thread's default name is this many characters of its first message. */
const threadNameLength = 22;

/**
 * Describes how a run ended, from its draft, what it threw (undefined: nothing), and why it was
 * stopped.
 */
export function describeEnding(
  generation: RunnableGeneration,
  draft: AnswerDraft,
  failure: unknown,
  stopped: StopReason | null,
): Ending {
  const answer = draft.refusal?.text ?? draft.text.toString();
  const state = stopped === "cancel" ? "cancelled" : failure === undefined ? "done" : "failed";
  return {
    id: generation.id,
    state,
    answer,
    notices: draft.notices,
    sources: draft.sources,
    error: state === "failed" ? stripNullCharacters(describeFailure(failure, stopped)) : null,
    refused: draft.refusal !== null,
    mode: draft.mode,
    provider: draft.provider,
    model: draft.model,
    metrics: buildMetrics({
      usage: draft.usage,
      promptText: draft.promptText,
      answer,
      milliseconds: draft.askedAt === null ? 0 : performance.now() - draft.askedAt,
      provider: draft.provider,
      model: draft.model,
      at: new Date(),
    }),
    threadName: answer === "" ? null : buildThreadName(generation.question),
  };
}

/** Returns null for an internal error, which belongs in the log. */
export function describeKnownFailure(failure: unknown): string | null {
  if (failure instanceof AnswerTooLongError)
    return "The answer exceeded 4 MB and was stopped. The text so far was kept.";
  if (failure instanceof ProviderError || failure instanceof CarrelError) return failure.message;
  return null;
}

function describeFailure(failure: unknown, stopped: StopReason | null): string {
  if (stopped === "shutdown")
    return "Carrel was shut down while this was being answered. The text so far was kept.";
  return (
    describeKnownFailure(failure) ??
    "Something went wrong inside Carrel while this was being answered. Its log says what."
  );
}

/** Returns null if the question has no text. */
export function buildThreadName(question: string): string | null {
  const characters = Array.from(question.replace(/\s+/g, " ").trim());
  return characters.slice(0, threadNameLength).join("").trim() || null;
}
