import { CarrelError, type Fault, type MetricsWire, type SourceWire } from "@carrel/contracts";
import { ProviderError } from "@carrel/providers";
import type { AnswerDraft } from "../answer/answer-draft.ts";
import { AnswerTooLongError } from "../answer/answer-too-long.error.ts";
import { titleFromQuestion } from "../thread/thread-title.ts";
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
  notices: Fault[];
  sources: SourceWire[];
  metrics: MetricsWire | null;
  fault: Fault | null;
  refused: boolean;
  mode: "chat" | "query";
  provider: string | null;
  model: string | null;
  /** Set by the thread's first message. */
  threadName: string | null;
}

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
    fault: state === "failed" ? describeFailure(failure, stopped) : null,
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
    threadName: answer === "" ? null : titleFromQuestion(generation.question),
  };
}

/** Returns null for an internal error, which belongs in the log. */
export function describeKnownFailure(failure: unknown): Fault | null {
  if (failure instanceof AnswerTooLongError)
    return { code: "generation.too-long", params: { megabytes: 4 } };
  if (failure instanceof ProviderError) return failure.fault;
  if (failure instanceof CarrelError) return { code: failure.code, params: failure.params };
  return null;
}

function describeFailure(failure: unknown, stopped: StopReason | null): Fault {
  if (stopped === "shutdown") return { code: "generation.shut-down" };
  return describeKnownFailure(failure) ?? { code: "generation.failed" };
}
