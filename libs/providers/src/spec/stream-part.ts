import type { ProviderMetadata } from "./message.ts";

/**
 * Why a model stopped, normalised across vendors. `incomplete`: it didn't finish, for a reason
 * other than its length or a filter; `other`: a reason we don't know.
 */
export type FinishReason =
  | "stop"
  | "length"
  | "content-filter"
  | "tool-calls"
  | "incomplete"
  | "other";

/** Tokens as the vendor counted them. */
export interface Usage {
  /** The whole prompt, cached tokens included. */
  inputTokens: number;
  /** The whole answer, reasoning included. */
  outputTokens: number;
  /** Input tokens read from the vendor's prompt cache; omitted if it doesn't report them. */
  cachedInputTokens?: number;
  /** Output tokens spent on reasoning; omitted if the vendor doesn't report them. */
  reasoningTokens?: number;
}

/**
 * One part of a model's answer. `finish` comes exactly once and last; a stream without it throws at
 * its end.
 */
export type StreamPart =
  | { type: "text-delta"; text: string }
  | { type: "reasoning-delta"; text: string }
  /**
   * All text so far was reasoning: it was opened in the server's template, and only the end shows
   * it. At most once, and never after parts other than text.
   */
  | { type: "text-was-reasoning" }
  /** Ends the reasoning so far; `metadata` belongs to it and goes back with it. */
  | { type: "reasoning-end"; metadata: ProviderMetadata }
  | { type: "tool-call-start"; id: string; name: string }
  /** The next piece of the input's JSON. */
  | { type: "tool-call-delta"; id: string; text: string }
  /** `input` is JSON as the model wrote it: callers must expect malformed or invalid input. */
  | { type: "tool-call-end"; id: string; name: string; input: string; metadata?: ProviderMetadata }
  /** usage is null if the vendor sent none. */
  | { type: "finish"; reason: FinishReason; usage: Usage | null };
