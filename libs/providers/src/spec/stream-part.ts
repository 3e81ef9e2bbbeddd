/** Why a model stopped, normalised across vendors. */
export type FinishReason = "stop" | "length" | "filter" | "tool" | "other";

/** Tokens as the vendor counted them. */
export interface Usage {
  inputTokens: number;
  outputTokens: number;
}

/**
 * One part of a model's answer. `finish` comes exactly once and last; a stream without it throws at
 * its end.
 */
export type StreamPart =
  | { type: "text-delta"; text: string }
  | { type: "reasoning-delta"; text: string }
  /** usage is null if the vendor sent none. */
  | { type: "finish"; reason: FinishReason; usage: Usage | null };
