import {
  CarrelError,
  type ChatMode,
  type Fault,
  type MetricsWire,
  quotingProvider,
  type ReasoningSpan,
  type RunStep,
  type SourceWire,
  type ToolCall,
} from "@carrel/contracts";
import { isStorageFull } from "@carrel/messaging";
import {
  ProviderError,
  addTokens,
  countTokens,
  noTokens,
  type TokenCount,
} from "@carrel/providers";
import type { AnswerDraft } from "../answer/answer-draft.ts";
import { AnswerTooLongError } from "../answer/answerer.ts";
import { titleFromQuestion } from "../thread/thread-title.ts";
import type { ReadContent } from "../turn/turn.entity.ts";
import { costOf, describeUse, type UsageRecord } from "../usage/usage-record.ts";
import { buildMetrics } from "./frames.ts";
import type { GenerationState } from "./generation.entity.ts";
import type { RunnableGeneration } from "./generation.repository.ts";

/** Why a run is stopped; the abort reason of its signal. */
export type StopReason = "cancel" | "shutdown" | "lost";

/** How a generation ended, for its row, its turn and its thread. */
export interface Ending {
  id: string;
  state: Extract<GenerationState, "done" | "failed" | "cancelled">;
  answer: string;
  /** Which parts of the answer are reasoning. */
  reasoning: ReasoningSpan[];
  notices: Fault[];
  sources: SourceWire[];
  steps: RunStep[];
  /** null: unknown. */
  read: ReadContent | null;
  metrics: MetricsWire | null;
  fault: Fault | null;
  refused: boolean;
  toolCalls: ToolCall[] | null;
  mode: ChatMode;
  provider: string | null;
  model: string | null;
  /** Usage of the answer; null if no answerer was asked. */
  use: UsageRecord | null;
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
  const milliseconds = draft.askedAt === null ? 0 : performance.now() - draft.askedAt;
  return {
    id: generation.id,
    state,
    answer,
    reasoning: draft.refusal === null ? draft.text.listReasoning() : [],
    notices: draft.notices,
    sources: draft.sources,
    steps: draft.listSteps(),
    read: draft.read,
    fault: state === "failed" ? describeFailure(failure, stopped) : null,
    refused: draft.refusal !== null,
    toolCalls: state === "done" && draft.toolCalls.length > 0 ? draft.toolCalls : null,
    mode: draft.mode,
    provider: draft.provider,
    model: draft.model,
    metrics: describeMetrics(draft, answer, milliseconds, hasCalledModel(draft, stopped)),
    use: describeAnswerUse(generation, draft, { state, answer, milliseconds, stopped }),
    threadName: answer === "" ? null : titleFromQuestion(generation.question),
  };
}

/**
 * Whether the vendor charges for the answer: it does for the prompt of one that was stopped, but
 * not for a call that it rejected.
 */
const hasCalledModel = (draft: AnswerDraft, stopped: StopReason | null): boolean =>
  draft.provider !== quotingProvider &&
  draft.replyFrom !== null &&
  (draft.usage !== null ||
    draft.firstTokenAt !== null ||
    (stopped !== null && draft.promptText !== ""));

/** Of the last call, unless its use is recorded already. */
function countLast(
  { usage, promptText, replyFrom, text }: AnswerDraft,
  answer: string,
): TokenCount {
  if (replyFrom === null) return noTokens;
  return countTokens(usage, promptText, replyFrom === 0 ? answer : text.takeFrom(replyFrom).text);
}

function describeMetrics(
  draft: AnswerDraft,
  answer: string,
  milliseconds: number,
  isCharged: boolean,
): MetricsWire {
  const { provider, model, spent, findPrice, isCut, kind } = draft;
  const tokens = addTokens(spent, countLast(draft, answer));
  const price = provider === null || model === null ? null : findPrice(provider, model);
  const cost = price === null ? null : costOf(price, isCharged ? tokens : spent);
  return buildMetrics({ tokens, cost, milliseconds, provider, model, isCut, kind, at: new Date() });
}

/** Returns null if it ended before an answerer was asked. */
function describeAnswerUse(
  { scope }: RunnableGeneration,
  draft: AnswerDraft,
  o: {
    state: UsageRecord["state"];
    answer: string;
    milliseconds: number;
    stopped: StopReason | null;
  },
): UsageRecord | null {
  const { provider, model, askedAt, firstTokenAt } = draft;
  if (askedAt === null || provider === null || model === null) return null;
  return describeUse({
    purpose: "answer",
    state: o.state,
    principal: scope.principal,
    provider,
    model,
    findPrice: draft.findPrice,
    tokens: hasCalledModel(draft, o.stopped) ? countLast(draft, o.answer) : noTokens,
    firstTokenMs: firstTokenAt === null ? null : firstTokenAt - askedAt,
    milliseconds: o.milliseconds,
  });
}

/** Returns null for an internal error, which belongs in the log. */
export function describeKnownFailure(failure: unknown): Fault | null {
  if (failure instanceof AnswerTooLongError)
    return { code: "generation.too-long", params: { megabytes: 4 } };
  if (failure instanceof ProviderError) return failure.fault;
  if (failure instanceof CarrelError) return { code: failure.code, params: failure.params };
  if (isStorageFull(failure)) return { code: "request.storage-full" };
  return null;
}

function describeFailure(failure: unknown, stopped: StopReason | null): Fault {
  if (stopped === "shutdown") return { code: "generation.shut-down" };
  return describeKnownFailure(failure) ?? { code: "generation.failed" };
}
