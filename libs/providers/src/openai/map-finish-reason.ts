import type { FinishReason } from "../spec/stream-part.ts";

/**
 * Maps `finish_reason` of chat completions, including the words that vendors add to OpenAI's: `eos`
 * (Together), `model_length` (Mistral), `sensitive` (Z.ai), `insufficient_system_resource`
 * (DeepSeek), `abort` (vLLM, SGLang), and the words of vendors behind gateways.
 */
export function mapChatFinishReason(reason: string): FinishReason {
  switch (reason.toLowerCase()) {
    case "stop":
    case "eos":
    case "eos_token":
    case "end_turn":
    case "stop_sequence":
    case "complete":
      return "stop";
    case "length":
    case "max_tokens":
    case "max_output_tokens":
    case "model_length":
    case "model_context_window_exceeded":
      return "length";
    case "content_filter":
    case "content-filter":
    case "sensitive":
    case "safety":
    case "prohibited_content":
    case "blocklist":
    case "spii":
    case "recitation":
    case "guardrail_intervened":
    case "guardrails":
    case "refusal":
      return "content-filter";
    case "tool_calls":
    case "tool_use":
    case "function_call":
      return "tool-calls";
    case "abort":
    case "aborted":
    case "cancelled":
    case "network_error":
    case "insufficient_system_resource":
    case "malformed_function_call":
    case "pause_turn":
    case "timeout":
      return "incomplete";
    default:
      return "other";
  }
}

/** Maps `incomplete_details.reason` of the Responses API. */
export function mapIncompleteReason(reason: string | undefined): FinishReason {
  switch (reason) {
    case "max_output_tokens":
    case "max_tokens":
      return "length";
    case "content_filter":
      return "content-filter";
    default:
      return "incomplete";
  }
}
