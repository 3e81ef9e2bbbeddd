import type { FinishReason } from "../spec/stream-part.ts";

/** Maps `finish_reason` of chat completions. */
export function mapChatFinishReason(reason: string): FinishReason {
  switch (reason) {
    case "stop":
      return "stop";
    case "length":
      return "length";
    case "content_filter":
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
