import type { ChatHistoryItem } from "node-llama-cpp";
import type { JsonSchema } from "../spec/language-model.ts";

// Messages between the service and the process that holds a model.

/** What the process is started with. */
export interface GgufStart {
  path: string;
  /** Tokens of each conversation. */
  context: number;
  conversations: number;
  threads: number;
}

export interface GgufFunction {
  name: string;
  description: string;
  schema: JsonSchema;
}

/** One answer to write. */
export interface GgufRequest {
  history: ChatHistoryItem[];
  temperature: number | null;
  topP: number | null;
  maxTokens: number | null;
  functions: GgufFunction[];
  /** Whether the answer must be a call. */
  mustCall: boolean;
  parallelCalls: boolean;
  /** The answer is JSON of this schema. */
  schema: JsonSchema | null;
}

export type ToGgufProcess =
  | { type: "answer"; id: number; request: GgufRequest }
  | { type: "stop"; id: number };

export interface GgufFigures {
  /** The whole prompt, and how much of it was already evaluated. */
  promptTokens: number;
  cachedTokens: number;
  answerTokens: number;
  reasoningTokens: number;
  /** Time for the prompt and for the answer. */
  promptMs: number;
  answerMs: number;
}

export type FromGgufProcess =
  | { type: "loaded" }
  | { type: "load-failed"; details: string }
  | { type: "text" | "reasoning"; id: number; text: string }
  | { type: "call"; id: number; index: number; name: string; text: string; done: boolean }
  | { type: "done"; id: number; reason: "stop" | "length" | "tool-calls"; figures: GgufFigures }
  | { type: "stopped"; id: number }
  | { type: "too-long"; id: number; limit: number }
  | { type: "failed"; id: number; details: string };
