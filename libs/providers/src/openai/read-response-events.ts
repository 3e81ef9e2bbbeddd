import type OpenAI from "openai";
import { describeFault, type Vendor } from "../http/describe-fault.ts";
import type { PartQueue } from "../http/part-queue.ts";
import type { PartReader } from "../http/run-stream.ts";
import type { FinishReason, StreamPart, Usage } from "../spec/stream-part.ts";
import { mapIncompleteReason } from "./map-finish-reason.ts";
import { requireNoError } from "./openai-error.ts";

type Event = OpenAI.Responses.ResponseStreamEvent;
type OutputItem = OpenAI.Responses.ResponseOutputItem;

function readUsage({ usage }: OpenAI.Responses.Response): Usage | null {
  if (!usage) return null;
  return {
    inputTokens: usage.input_tokens,
    outputTokens: usage.output_tokens,
    cachedInputTokens: usage.input_tokens_details?.cached_tokens,
    reasoningTokens: usage.output_tokens_details?.reasoning_tokens,
  };
}

/** Only encrypted reasoning can go back, and only where it was requested. */
function readFinishedItem(item: OutputItem, parts: PartQueue): void {
  if (item.type === "function_call")
    parts.add({
      type: "tool-call-end",
      id: item.call_id,
      name: item.name,
      input: item.arguments || "{}",
    });
  if (item.type === "reasoning" && item.encrypted_content)
    parts.add({
      type: "reasoning-end",
      metadata: { openai: { id: item.id, encryptedContent: item.encrypted_content } },
    });
}

/** Converts the events of a response. */
export class ResponseEventReader implements PartReader<Event> {
  /** Ids of the calls by item id, the only id in their deltas. */
  private readonly calls = new Map<string | undefined, string>();

  constructor(private readonly vendor: Vendor) {}

  read(event: Event, parts: PartQueue): void {
    requireNoError(this.vendor, event);
    switch (event.type) {
      case "response.output_text.delta":
      case "response.refusal.delta":
        parts.addText("text-delta", event.delta);
        break;
      case "response.reasoning_summary_text.delta":
      case "response.reasoning_text.delta":
        parts.addText("reasoning-delta", event.delta);
        break;
      case "response.output_item.added":
        if (event.item.type === "function_call") {
          this.calls.set(event.item.id, event.item.call_id);
          parts.add({ type: "tool-call-start", id: event.item.call_id, name: event.item.name });
        }
        break;
      case "response.function_call_arguments.delta": {
        const id = this.calls.get(event.item_id);
        if (id !== undefined && event.delta)
          parts.add({ type: "tool-call-delta", id, text: event.delta });
        break;
      }
      case "response.output_item.done":
        readFinishedItem(event.item, parts);
        break;
      case "response.completed":
        parts.add(this.finish(this.calls.size > 0 ? "tool-calls" : "stop", event.response));
        break;
      case "response.incomplete":
        parts.add(
          this.finish(
            mapIncompleteReason(event.response.incomplete_details?.reason),
            event.response,
          ),
        );
        break;
      case "response.failed":
        throw describeFault(this.vendor, {
          code: event.response.error?.code,
          message: event.response.error?.message,
        });
      case "error":
        throw describeFault(this.vendor, {
          code: event.code ?? undefined,
          message: event.message,
        });
      default:
        break; // the other events only repeat what the deltas contained
    }
  }

  private finish(reason: FinishReason, response: OpenAI.Responses.Response): StreamPart {
    return { type: "finish", reason, usage: readUsage(response) };
  }
}
