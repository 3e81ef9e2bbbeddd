import type { GenerationFrame, MetricsWire, SourceWire, StoredAttachment } from "@carrel/contracts";

/** Where an answer stands, as the person sees it. */
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

/** An answer that this tab writes along with: what the frames so far have said. */
export interface Generation {
  /** null until `generationStarted`. */
  id: string | null;
  chatId: number | null;
  question: string;
  mode: "chat" | "query";
  phase: Phase;
  text: string;
  sources: SourceWire[];
  documents: number | null;
  passages: number | null;
  milliseconds: number | null;
  metrics: MetricsWire | null;
  error: string | null;
  startedAt: number;
  /** The connection is lost and being made again. */
  reconnecting: boolean;
  /** `/reset` was the message: of the conversation this answer alone is left. */
  reset: boolean;
  /** The turn that this is a new version of; null: it goes on after the last one. */
  replaces: number | null;
  /** Pictures that came with the question. */
  attachments: StoredAttachment[];
  /** What the instance told beside the answer (`statusResponse`). */
  notices: string[];
  /**
   * A whole answer that came at once and is to be shown as if it were written (`textResponse` that
   * does not close).
   */
  animate: boolean;
}

export function newGeneration(
  question: string,
  mode: "chat" | "query",
  known: Partial<Generation> = {},
): Generation {
  return {
    id: null,
    chatId: null,
    question,
    mode,
    phase: "sending",
    text: "",
    sources: [],
    documents: null,
    passages: null,
    milliseconds: null,
    metrics: null,
    error: null,
    startedAt: Date.now(),
    reconnecting: false,
    reset: false,
    replaces: null,
    attachments: [],
    notices: [],
    animate: false,
    ...known,
  };
}

/** One frame later. Pure; frames of kinds that this version does not know change nothing. */
export function applyFrame(generation: Generation, frame: GenerationFrame): Generation {
  if (!("type" in frame)) return generation; // rename_thread concerns the sidebar
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
        documents: frame.documents ?? generation.documents,
        passages: frame.passages ?? generation.passages,
        milliseconds: frame.milliseconds ?? generation.milliseconds,
      };
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
        chatId: frame.chatId ?? generation.chatId,
      };
    case "textResponse": {
      const failed = typeof frame.error === "string" && frame.error.length > 0;
      // A whole answer without sources in query mode is the workspace's refusal (wire-contract
      // 4.6).
      const refused =
        !failed && !frame.action && generation.mode === "query" && frame.sources.length === 0;
      return {
        ...generation,
        phase: failed ? "failed" : refused ? "refused" : "done",
        text: frame.textResponse,
        sources: frame.sources,
        chatId: frame.chatId ?? generation.chatId,
        error: failed ? String(frame.error) : null,
        reset: frame.action === "reset_chat",
        animate: !frame.close,
      };
    }
    case "abort":
      return generation.phase === "stopped"
        ? generation
        : {
            ...generation,
            phase: "failed",
            error: frame.error,
            sources: frame.sources.length > 0 ? frame.sources : generation.sources,
          };
    case "statusResponse":
      // A stream that was lost is told again from what is stored.
      return generation.notices.includes(frame.textResponse)
        ? generation
        : { ...generation, notices: [...generation.notices, frame.textResponse] };
    default:
      return generation;
  }
}

/** Whether nothing of the answer follows this frame. */
export const isTerminal = (frame: GenerationFrame): boolean =>
  "type" in frame &&
  (frame.type === "abort" ||
    frame.type === "finalizeResponseStream" ||
    frame.type === "textResponse");

/** A frame that carries part of the answer itself, so that hearing it twice would show it twice. */
export const isContent = (frame: GenerationFrame): boolean =>
  "type" in frame && (frame.type === "textResponseChunk" || frame.type === "textResponse");
