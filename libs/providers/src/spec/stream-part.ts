/** Why a model stopped, in our words. */
export type FinishReason = "stop" | "length" | "filter" | "tool" | "other";

/** Tokens as the vendor counted them. */
export interface Usage {
  inputTokens: number;
  outputTokens: number;
}

/**
 * One part of a model's answer. `finish` is always the last one and comes exactly once; a stream
 * without it ends by throwing.
 */
export type StreamPart =
  | { type: "text-delta"; text: string }
  | { type: "reasoning-delta"; text: string }
  /** usage is null where the vendor sent none. */
  | { type: "finish"; reason: FinishReason; usage: Usage | null };
