import { z } from "zod";
import type { FaultWire } from "../errors/error-definition.ts";
import { sourceWire, type SourceWire } from "../source.ts";
import { toolCall } from "./conversation.ts";
import type { OpenReasoningSpan } from "./reasoning-spans.ts";
import type { RunStep } from "./run-step.ts";
import { attachmentWire, metricsWire, type AnswerKind } from "./turn.ts";

/** Stream frames (wire-contract 4.2) as the chat service writes them to the generation's stream. */
export const streamFrame = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("abort"),
    /** Set while streaming; frames before that carry only `id`. */
    uuid: z.string().optional(),
    id: z.string().optional(),
    textResponse: z.null(),
    sources: z.array(sourceWire),
    close: z.literal(true),
    error: z.string(),
  }),
  z.object({
    type: z.literal("textResponse"),
    uuid: z.string().optional(),
    id: z.string().optional(),
    textResponse: z.string(),
    sources: z.array(sourceWire),
    /** false: clients render the text as if it were still being written. */
    close: z.boolean(),
    error: z.union([z.literal(false), z.null(), z.string()]),
    action: z.string().optional(),
    chatId: z.number().int().optional(),
    attachments: z.array(attachmentWire).optional(),
  }),
  z.object({
    type: z.literal("textResponseChunk"),
    uuid: z.string(),
    textResponse: z.string(),
    sources: z.array(sourceWire),
    close: z.boolean(),
    error: z.literal(false),
    metrics: metricsWire.optional(),
  }),
  z.object({
    type: z.literal("finalizeResponseStream"),
    uuid: z.string(),
    close: z.literal(true),
    error: z.literal(false),
    chatId: z.number().int().optional(),
    metrics: metricsWire,
    /** Only in conversations of clients that offered tools. */
    toolCalls: z.array(toolCall).optional(),
  }),
  z.object({
    type: z.literal("statusResponse"),
    uuid: z.string().optional(),
    id: z.string().optional(),
    textResponse: z.string(),
    sources: z.array(sourceWire),
    close: z.literal(true),
    animate: z.boolean(),
    error: z.null(),
  }),
]);

export type StreamFrame = z.infer<typeof streamFrame>;

/** Frame without a type, sent only on the thread route: the first message names the thread. */
export interface RenameThreadFrame {
  action: "rename_thread";
  thread: { slug: string; name: string };
}

/** Frames sent only to clients with `X-Carrel-Stream: 1`. */
export type CarrelFrame =
  | { type: "generationStarted"; generationId: string; chatId: number; queued: boolean }
  /**
   * Sources chosen for the answer, sent before its first text so that an interrupted answer keeps
   * them. The last such frame wins.
   */
  | { type: "generationSources"; sources: SourceWire[]; answerKind?: AnswerKind }
  | {
      type: "generationStage";
      stage: "queued" | "searching" | "reading" | "writing";
      /** How many answers a model of this instance writes first. */
      ahead?: number;
      documents?: number;
      /**
       * Number of texts the answer is based on: passages, pinned documents and files of the thread.
       */
      passages?: number;
      milliseconds?: number;
    }
  /**
   * Announces which part of the text is reasoning, tags included, before the text reaches it; `end`
   * is null while the model thinks. The last frame with the same `start` counts: one comes about
   * every second, and one may come later for text that turned out to be reasoning.
   */
  | ({ type: "generationReasoning" } & OpenReasoningSpan)
  /** An agent answers: steps may follow. Comes before them and before any text. */
  | { type: "generationAgent" }
  /** A step began or changed; the last frame with its ID counts. */
  | { type: "generationStep"; step: RunStep }
  /**
   * The text is withdrawn from this position on (UTF-16 units): a lost run's last part is written
   * again.
   */
  | { type: "generationRewind"; to: number }
  /**
   * Precedes the `statusResponse` with the English text; a plain string if stored before notices
   * had codes.
   */
  | { type: "generationNotice"; notice: FaultWire | string }
  /** Precedes the `abort` with the English text. */
  | { type: "generationFault"; fault: FaultWire };

export type GenerationFrame = StreamFrame | RenameThreadFrame | CarrelFrame;
