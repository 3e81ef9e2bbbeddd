import type { Usage } from "./stream-part.ts";

/** Tokens of one call of a model. */
export interface TokenCount {
  /** The whole prompt, cached tokens included. */
  input: number;
  cached: number;
  /** The whole answer, reasoning included. */
  output: number;
  reasoning: number;
  /** Whether the vendor reported no counts, as for answers that were stopped. */
  isEstimated: boolean;
}

export const noTokens: TokenCount = {
  input: 0,
  cached: 0,
  output: 0,
  reasoning: 0,
  isEstimated: false,
};

export const addTokens = (one: TokenCount, other: TokenCount): TokenCount => ({
  input: one.input + other.input,
  cached: one.cached + other.cached,
  output: one.output + other.output,
  reasoning: one.reasoning + other.reasoning,
  isEstimated: one.isEstimated || other.isEstimated,
});

/** A rough token count for vendors that report none: about four bytes of UTF-8 per token. */
export function estimateTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / 4);
}

/** Returns the tokens as reported by the vendor, otherwise an estimate. */
export function countTokens(usage: Usage | null, prompt: string, answer: string): TokenCount {
  if (usage === null)
    return {
      input: estimateTokens(prompt),
      cached: 0,
      output: estimateTokens(answer),
      reasoning: 0,
      isEstimated: true,
    };
  return {
    input: usage.inputTokens,
    cached: Math.min(usage.cachedInputTokens ?? 0, usage.inputTokens),
    output: usage.outputTokens,
    reasoning: Math.min(usage.reasoningTokens ?? 0, usage.outputTokens),
    isEstimated: false,
  };
}
