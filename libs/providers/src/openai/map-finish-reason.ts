import type { FinishReason } from "../spec/stream-part.ts";

/**
 * Maps `finish_reason` of chat completions, with the words that vendors add to OpenAI's: `eos`
 * (Together), `model_length` (Mistral), `sensitive` (Z.ai).
 */
export function mapChatFinishReason(reason: string): FinishReason {
  switch (reason) {
    case "stop":
    case "eos":
      return "stop";
    case "length":
    case "model_length":
      return "length";
    case "content_filter":
    case "sensitive":
      return "content-filter";
    case "tool_calls":
    case "function_call":
      return "tool-calls";
    default:
      return "other";
  }
}

/** Maps `incomplete_details.reason` of the Responses API. */
export function mapIncompleteReason(reason: string | undefined): FinishReason {
  switch (reason) {
    case "max_output_tokens":
      return "length";
    case "content_filter":
      return "content-filter";
    default:
      return "other";
  }
}
