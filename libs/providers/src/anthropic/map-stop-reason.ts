import type { FinishReason } from "../spec/stream-part.ts";

/** Maps `stop_reason` of the Messages API. */
export function mapStopReason(reason: string | null): FinishReason {
  switch (reason) {
    case "end_turn":
    case "stop_sequence":
      return "stop";
    case "max_tokens":
    case "model_context_window_exceeded":
      return "length";
    case "refusal":
      return "content-filter";
    case "tool_use":
      return "tool-calls";
    case "pause_turn":
      return "incomplete";
    default:
      return "other";
  }
}
