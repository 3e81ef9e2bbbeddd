import type {
  AnswerKind,
  ChatMode,
  FaultWire,
  GenerationFrame,
  KnownFault,
  listTurns,
  MetricsWire,
  OpenReasoningSpan,
  Out,
  RunStep,
  SourceWire,
  StoredAttachment,
  TurnWire,
} from "@carrel/contracts";
import { replaceEqualDeep, type InfiniteData } from "@tanstack/react-query";
import type { QuestionChoices } from "./mentions.ts";

export type TurnPages = InfiniteData<Out<typeof listTurns>, number>;
const isPages = (data: unknown): data is TurnPages =>
  typeof data === "object" && data !== null && "pages" in data;

/**
 * Keeps unchanged turns identical, whichever page and position they move to, so that only changed
 * ones render again. Replaces structural sharing, which compares by position and therefore treats
 * every turn as changed when earlier ones are loaded.
 */
export function shareTurns(before: unknown, after: unknown): unknown {
  if (!isPages(before) || !isPages(after)) return after;
  const known = new Map(before.pages.flatMap((page) => page.turns).map((turn) => [turn.id, turn]));
  return {
    ...after,
    pages: after.pages.map((page) => ({
      ...page,
      turns: page.turns.map((turn) => {
        const old = known.get(turn.id);
        return old === undefined ? turn : replaceEqualDeep(old, turn);
      }),
    })),
  };
}

/** The state of an answer as the user sees it. */
export type Phase =
  | "sending"
  | "queued"
  | "searching"
  | "reading"
  | "writing"
  | "done"
  | "stopped"
  | "failed"
  | "refused";
export const isOpen = (phase: Phase): boolean =>
  phase === "sending" ||
  phase === "queued" ||
  phase === "searching" ||
  phase === "reading" ||
  phase === "writing";

export const isSettled = (state: TurnWire["state"]): boolean =>
  state !== "queued" && state !== "running";

/** Reasoning in an answer's text. */
export interface ThinkingSpan extends OpenReasoningSpan {
  /** When it started by this browser's clock, in ms; null: it has ended. */
  since: number | null;
}

/** An answer that this tab is streaming, as built from the frames so far. */
export interface Generation {
  /** null until `generationStarted`. */
  id: string | null;
  chatId: number | null;
  question: string;
  mode: ChatMode;
  phase: Phase;
  /** The question failed before the server had it. */
  isUnsent?: boolean;
  /** Including its reasoning. */
  text: string;
  /** Which parts of the text are reasoning. */
  reasoning: ThinkingSpan[];
  /** What its tools do, by ID, with positions in the text. */
  steps: RunStep[];
  /** null: it answers the question, as far as is known. */
  answerKind: AnswerKind | null;
  sources: SourceWire[];
  /** How many answers a model of this instance writes first. */
  ahead: number;
  documents: number | null;
  passages: number | null;
  milliseconds: number | null;
  metrics: MetricsWire | null;
  /** A plain string if it failed in the browser, or on a server that sends no codes. */
  error: FaultWire | string | null;
  startedAt: number;
  /** The connection was lost and is being re-established. */
  reconnecting: boolean;
  /** The message was `/reset`: only this answer remains of the conversation. */
  reset: boolean;
  /** The turn of which this is a new version; null: it follows the last one. */
  replaces: number | null;
  /** The step of that turn to continue from; null: from the start. */
  fromStep: number | null;
  /** Images sent with the question. */
  attachments: StoredAttachment[];
  /** What was chosen for the question; null: nothing, or only the server knows. */
  choices: QuestionChoices | null;
  /** Notices sent along with the answer; plain strings were stored before notices had codes. */
  notices: (FaultWire | string)[];
  /**
   * A complete answer that arrived in one piece and is animated as if it were streamed
   * (`textResponse` that does not close).
   */
  animate: boolean;
}

export function newGeneration(
  question: string,
  mode: ChatMode,
  known: Partial<Generation> = {},
): Generation {
  return {
    id: null,
    chatId: null,
    question,
    mode,
    phase: "sending",
    text: "",
    reasoning: [],
    steps: [],
    answerKind: null,
    sources: [],
    ahead: 0,
    documents: null,
    passages: null,
    milliseconds: null,
    metrics: null,
    error: null,
    startedAt: Date.now(),
    reconnecting: false,
    reset: false,
    replaces: null,
    fromStep: null,
    attachments: [],
    choices: null,
    notices: [],
    animate: false,
    ...known,
  };
}

/**
 * The server says how long the model has been thinking, so it matters neither when this tab joined
 * nor whether the clocks agree.
 */
function noteSpan(
  spans: readonly ThinkingSpan[],
  { start, end, milliseconds }: OpenReasoningSpan,
): ThinkingSpan[] {
  const known = spans.find((span) => span.start === start);
  const since = end === null ? Math.min(known?.since ?? Infinity, Date.now() - milliseconds) : null;
  const noted = { start, end, milliseconds, since };
  return known === undefined
    ? [...spans, noted]
    : spans.map((span) => (span === known ? noted : span));
}

/** Removes what the answer has after this position of its text. A step that is there stays. */
const withdraw = (generation: Generation, to: number): Generation => ({
  ...generation,
  text: generation.text.slice(0, to),
  reasoning: generation.reasoning
    .filter(({ start }) => start < to)
    .map((span) => ((span.end ?? 0) > to ? { ...span, end: to } : span)),
  steps: generation.steps.filter(({ at }) => at <= to),
});

/** Shown instead of the English that answers `/reset`. */
const conversationReset: KnownFault = { code: "notice.conversation-reset" };

const isSame = (one: FaultWire | string, other: FaultWire | string): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/**
 * Applies one frame. Pure; ignores frames of unknown types, and the English text of notices
 * (`statusResponse`), which follows their codes.
 */
export function applyFrame(generation: Generation, frame: GenerationFrame): Generation {
  if (!("type" in frame)) return generation; // rename_thread is handled by the sidebar
  switch (frame.type) {
    case "generationStarted":
      return {
        ...generation,
        id: frame.generationId,
        chatId: frame.chatId,
        phase: generation.phase === "sending" && frame.queued ? "queued" : generation.phase,
      };
    case "generationStage":
      return {
        ...generation,
        phase: isOpen(generation.phase) ? frame.stage : generation.phase,
        ahead: frame.ahead ?? 0,
        documents: frame.documents ?? generation.documents,
        passages: frame.passages ?? generation.passages,
        milliseconds: frame.milliseconds ?? generation.milliseconds,
      };
    case "generationSources":
      return {
        ...generation,
        sources: frame.sources,
        answerKind: frame.answerKind ?? null,
      };
    case "generationReasoning":
      return { ...generation, reasoning: noteSpan(generation.reasoning, frame) };
    case "generationStep":
      return {
        ...generation,
        steps: [...generation.steps.filter(({ id }) => id !== frame.step.id), frame.step].sort(
          (one, other) => one.id - other.id,
        ),
      };
    case "generationRewind":
      return withdraw(generation, frame.to);
    case "textResponseChunk":
      return {
        ...generation,
        phase: isOpen(generation.phase) ? "writing" : generation.phase,
        text: generation.text + frame.textResponse,
        sources: frame.sources.length > 0 ? frame.sources : generation.sources,
        metrics: frame.metrics ?? generation.metrics,
      };
    case "finalizeResponseStream":
      return {
        ...generation,
        phase: isOpen(generation.phase) ? "done" : generation.phase,
        metrics: frame.metrics,
        answerKind: frame.metrics.answer_kind ?? null,
        chatId: frame.chatId ?? generation.chatId,
      };
    case "textResponse": {
      const reset = frame.action === "reset_chat";
      const failed = typeof frame.error === "string" && frame.error.length > 0;
      // In query mode, a complete answer without sources is the workspace's refusal (wire-contract
      // 4.6).
      const refused =
        !failed && !frame.action && generation.mode === "query" && frame.sources.length === 0;
      return {
        ...generation,
        phase: failed ? "failed" : refused ? "refused" : "done",
        text: reset ? "" : frame.textResponse,
        notices: reset ? [conversationReset] : generation.notices,
        sources: frame.sources,
        chatId: frame.chatId ?? generation.chatId,
        error: failed ? String(frame.error) : null,
        reset,
        animate: !frame.close,
      };
    }
    case "abort":
      return generation.phase === "stopped"
        ? generation
        : {
            ...generation,
            phase: "failed",
            error: generation.error ?? frame.error,
            sources: frame.sources.length > 0 ? frame.sources : generation.sources,
          };
    case "generationFault":
      return { ...generation, error: frame.fault };
    case "generationNotice":
      // A lost stream is replayed from storage.
      return generation.notices.some((notice) => isSame(notice, frame.notice))
        ? generation
        : { ...generation, notices: [...generation.notices, frame.notice] };
    default:
      return generation;
  }
}

/** Whether this is the last frame of an answer. */
export const isTerminal = (frame: GenerationFrame): boolean =>
  "type" in frame &&
  (frame.type === "abort" ||
    frame.type === "finalizeResponseStream" ||
    frame.type === "textResponse");

/** Whether a frame carries part of the answer, so that applying it twice would duplicate text. */
export const isContent = (frame: GenerationFrame): boolean =>
  "type" in frame && (frame.type === "textResponseChunk" || frame.type === "textResponse");
