import {
  clipText,
  renderFault,
  type AnswerKind,
  type CarrelFrame,
  type FaultWire,
  type GenerationFrame,
  type MetricsWire,
  type OpenReasoningSpan,
  type ReasoningSpan,
  type RunStep,
  type RenameThreadFrame,
  type SourceWire,
  type StreamFrame,
  type ToolCall,
} from "@carrel/contracts";
import { estimateTokens, type TokenCount } from "@carrel/providers";
import type { Attachment, TurnState } from "../turn/turn.entity.ts";

/*
 * Frames of wire-contract 4.2. Field order is byte order, so every frame is built here and nowhere
 * else. The `uuid` of all frames of an answer is the generation's ID.
 */
export function chunkFrame(uuid: string, textResponse: string): StreamFrame {
  return { uuid, sources: [], type: "textResponseChunk", textResponse, close: false, error: false };
}
/** The last chunk: no text, all sources. */
export function closingFrame(uuid: string, sources: SourceWire[]): StreamFrame {
  return { uuid, sources, type: "textResponseChunk", textResponse: "", close: true, error: false };
}
/** @param chatId null if nothing is stored that existing clients could see */
export function finalizeFrame(
  uuid: string,
  chatId: number | null,
  metrics: MetricsWire,
  toolCalls: ToolCall[] = [],
): StreamFrame {
  return {
    uuid,
    type: "finalizeResponseStream",
    close: true,
    error: false,
    ...(chatId === null ? {} : { chatId }),
    metrics,
    ...(toolCalls.length === 0 ? {} : { toolCalls }),
  };
}
/**
 * Ends an answer that has no text yet: the fault for Carrel's clients, the English text for others.
 */
export function abortFrames(id: string, fault: FaultWire): GenerationFrame[] {
  return [faultFrame(fault), abortFrame(id, renderFault(fault))];
}
export function abortFrame(id: string, error: string): StreamFrame {
  return { id, type: "abort", textResponse: null, sources: [], close: true, error };
}
/** Ends an answer in the middle of its text. */
export function breakOffFrames(uuid: string, fault: FaultWire): GenerationFrame[] {
  return [faultFrame(fault), breakOffFrame(uuid, renderFault(fault))];
}
export function breakOffFrame(uuid: string, error: string): StreamFrame {
  return { uuid, type: "abort", textResponse: null, sources: [], close: true, error };
}
/** wire-contract 4.6: an empty workspace echoes the attachments. */
export function refusalFrame(
  id: string,
  textResponse: string,
  attachments: Attachment[] | null,
): StreamFrame {
  return {
    id,
    type: "textResponse",
    textResponse,
    sources: [],
    ...(attachments === null ? {} : { attachments }),
    close: true,
    error: null,
  };
}
export function resetFrame(uuid: string): StreamFrame {
  return {
    uuid,
    type: "textResponse",
    textResponse: renderFault({ code: "notice.conversation-reset" }),
    sources: [],
    close: true,
    error: false,
    action: "reset_chat",
  };
}
/** A notice for Carrel's clients, and its English text for others. */
export function noticeFrames(id: string, notice: FaultWire | string): GenerationFrame[] {
  return [
    { type: "generationNotice", notice },
    statusFrame(id, typeof notice === "string" ? notice : renderFault(notice)),
  ];
}
export function statusFrame(id: string, textResponse: string): StreamFrame {
  return {
    id,
    type: "statusResponse",
    textResponse,
    sources: [],
    close: true,
    animate: false,
    error: null,
  };
}
export function renameThreadFrame(slug: string, name: string): RenameThreadFrame {
  return { action: "rename_thread", thread: { slug, name } };
}
/**
 * `type` comes first in Carrel's own frames, so that the gateway can distinguish them by their
 * first bytes.
 */
export function startedFrame(generationId: string, chatId: number, queued: boolean): CarrelFrame {
  return { type: "generationStarted", generationId, chatId, queued };
}
function faultFrame(fault: FaultWire): CarrelFrame {
  return { type: "generationFault", fault };
}
export function sourcesFrame(sources: SourceWire[], answerKind: AnswerKind | null): CarrelFrame {
  return { type: "generationSources", sources, ...(answerKind !== null && { answerKind }) };
}
export function reasoningFrame({ start, end, milliseconds }: OpenReasoningSpan): CarrelFrame {
  return { type: "generationReasoning", start, end, milliseconds };
}
/** At most this much of a step's input and result, in characters; the rest is asked for. */
const longestStepText = 2_000;
export function stepFrame(step: RunStep): CarrelFrame {
  return { type: "generationStep", step: shortenStep(step) };
}
function shortenStep(step: RunStep): RunStep {
  return {
    ...step,
    input: clipText(step.input, longestStepText),
    result: step.result === null ? null : clipText(step.result, longestStepText),
  };
}
export function agentFrame(): CarrelFrame {
  return { type: "generationAgent" };
}
export function rewindFrame(to: number): CarrelFrame {
  return { type: "generationRewind", to };
}
export function stageFrame(
  stage: Extract<CarrelFrame, { type: "generationStage" }>["stage"],
  figures: { ahead?: number; documents?: number; passages?: number; milliseconds?: number } = {},
): CarrelFrame {
  return { type: "generationStage", stage, ...figures };
}

/** The stored parts of an answer: enough to replay it. */
export interface StoredAnswer {
  generationId: string;
  chatId: number;
  state: TurnState;
  answer: string;
  /** Which parts of the answer are reasoning; null: unknown. */
  reasoning: ReasoningSpan[] | null;
  /** Shown before the answer; older ones are plain strings, stored before notices had codes. */
  notices: (FaultWire | string)[];
  sources: SourceWire[];
  /** Positions are those in the answer. */
  steps: RunStep[];
  metrics: MetricsWire | null;
  fault: FaultWire | null;
  /** Used instead of a fault for answers stored before failures had codes. */
  error: string | null;
  refused: boolean;
  /** Whether an agent answered. */
  isAgent?: boolean;
  /** null: none. */
  toolCalls?: ToolCall[] | null;
  /** The attachments that query mode echoes in an empty workspace; null otherwise. */
  echoed?: Attachment[] | null;
}

/**
 * Builds the frames that end an answer, in the order of wire-contract 4.3 and 4.4; none while it is
 * queued or running. Without text, nothing is stored that existing clients could see, so `chatId`
 * is left out then.
 */
export function buildEndFrames(o: StoredAnswer): GenerationFrame[] {
  if (o.state === "queued" || o.state === "running") return [];
  if (o.refused) return [refusalFrame(o.generationId, o.answer, o.echoed ?? null)];
  if (o.state === "failed" && o.answer === "") return buildFailure(o, abortFrames, abortFrame);
  const metrics =
    o.metrics ??
    buildMetrics({
      tokens: { input: 0, output: estimateTokens(o.answer) },
      cost: null,
      milliseconds: 0,
      provider: null,
      model: null,
      isCut: false,
      kind: null,
      at: new Date(),
    });
  return [
    // An abort frame has no sources (wire-contract 4.2), so a broken answer's sources are sent with
    // its last chunk.
    ...(o.state === "failed" && o.sources.length === 0
      ? []
      : [closingFrame(o.generationId, o.sources)]),
    ...(o.state === "failed" ? buildFailure(o, breakOffFrames, breakOffFrame) : []),
    finalizeFrame(o.generationId, o.answer === "" ? null : o.chatId, metrics, o.toolCalls ?? []),
  ];
}

function buildFailure(
  { generationId, fault, error }: StoredAnswer,
  withCode: (id: string, fault: FaultWire) => GenerationFrame[],
  withText: (id: string, error: string) => GenerationFrame,
): GenerationFrame[] {
  return fault === null && error !== null
    ? [withText(generationId, error)]
    : withCode(generationId, fault ?? { code: "generation.unfinished" });
}

/**
 * Rebuilds the frames of an answer whose stream is gone from PostgreSQL: the same text, in one
 * piece.
 */
export function rebuildFrames(o: StoredAnswer): GenerationFrame[] {
  const text = o.refused || o.answer === "" ? [] : [chunkFrame(o.generationId, o.answer)];
  return [
    startedFrame(o.generationId, o.chatId, o.state === "queued"),
    ...(o.isAgent === true ? [agentFrame()] : []),
    ...o.notices.flatMap((notice) => noticeFrames(o.generationId, notice)),
    ...(text.length === 0 ? [] : buildReasoningFrames(o.reasoning)),
    ...o.steps.map(stepFrame),
    ...text,
    ...buildEndFrames(o),
  ];
}

/** Frames without a known time say nothing: readers find it with the stored answer. */
const buildReasoningFrames = (spans: readonly ReasoningSpan[] | null): CarrelFrame[] =>
  (spans ?? []).map((span) => reasoningFrame({ ...span, milliseconds: span.milliseconds ?? 0 }));

/** wire-contract 4.9 */
export function buildMetrics(o: {
  tokens: Pick<TokenCount, "input" | "output">;
  /** Cost in millionths of a dollar; null where the price isn't known. */
  cost: { input: number; output: number } | null;
  milliseconds: number;
  provider: string | null;
  model: string | null;
  /** Whether the answer ended at a limit of its length. */
  isCut: boolean;
  kind: AnswerKind | null;
  at: Date;
}): MetricsWire {
  const { input: prompt, output: completion } = o.tokens;
  const duration = Math.round(o.milliseconds) / 1000;
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    outputTps: duration > 0 ? Math.round((completion / duration) * 100) / 100 : 0,
    duration,
    ...(o.model === null ? {} : { model: o.model }),
    ...(o.provider === null ? {} : { provider: o.provider }),
    timestamp: o.at.toISOString(),
    ...(o.isCut && { finish_reason: "length" as const }),
    ...(o.kind !== null && { answer_kind: o.kind }),
    ...(o.cost === null
      ? {}
      : {
          inputCost: o.cost.input / 1e6,
          outputCost: o.cost.output / 1e6,
          totalCost: (o.cost.input + o.cost.output) / 1e6,
        }),
  };
}
