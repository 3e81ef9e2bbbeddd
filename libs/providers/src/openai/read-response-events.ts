import type OpenAI from "openai";
import { describeFault, type Vendor } from "../http/describe-fault.ts";
import type { PartQueue } from "../http/part-queue.ts";
import { readFault, requireNoFault } from "../http/read-fault.ts";
import type { PartReader } from "../http/run-stream.ts";
import type { Usage } from "../spec/stream-part.ts";
import { mapIncompleteReason } from "./map-finish-reason.ts";

type Event = OpenAI.Responses.ResponseStreamEvent;
type OutputItem = OpenAI.Responses.ResponseOutputItem;
/** What isn't an event of a stream. */
type Untyped = { type?: undefined } & object;
type Received = Event | Untyped;

const isResponse = (reply: object): reply is OpenAI.Responses.Response =>
  "object" in reply && reply.object === "response";

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
export class ResponseEventReader implements PartReader<Received> {
  /** Ids of the calls by item id, the only id in their deltas. */
  private readonly calls = new Map<string | undefined, string>();
  private hasDeltas = false;

  constructor(private readonly vendor: Vendor) {}

  read(event: Received, parts: PartQueue): void {
    if (event.type === undefined) return this.readUntyped(event, parts);
    switch (event.type) {
      case "response.output_text.delta":
      case "response.refusal.delta":
        this.hasDeltas = true;
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
      case "response.incomplete":
      case "response.failed":
        this.finish(event.response, parts);
        break;
      case "error":
        throw describeFault(this.vendor, readFault(event) ?? {});
      default:
        break; // the other events only repeat what the deltas contained
    }
  }

  /** Every stream has a last event; gateways that translate protocols may only mark the end. */
  end(parts: PartQueue, isMarked: boolean): void {
    if (!isMarked) return;
    const reason = this.calls.size > 0 ? "tool-calls" : "stop";
    parts.add({ type: "finish", reason, usage: null });
  }

  /** The whole response in place of a stream, or a fault. */
  private readUntyped(event: Untyped, parts: PartQueue): void {
    if (isResponse(event)) this.finish(event, parts);
    else requireNoFault(this.vendor, event);
  }

  private finish(response: OpenAI.Responses.Response, parts: PartQueue): void {
    const { status, error, incomplete_details: details } = response;
    if (status === "failed")
      throw describeFault(this.vendor, { code: error?.code, message: error?.message });
    if (!this.hasDeltas) this.readOutput(response.output ?? [], parts);
    const isIncomplete = status === "incomplete" || status === "cancelled";
    parts.add({
      type: "finish",
      reason: isIncomplete
        ? mapIncompleteReason(details?.reason)
        : this.calls.size > 0
          ? "tool-calls"
          : "stop",
      usage: readUsage(response),
    });
  }

  /** What a response says that wasn't streamed. */
  private readOutput(items: readonly OutputItem[], parts: PartQueue): void {
    for (const item of items) {
      if (item.type === "reasoning")
        for (const { text } of [...(item.summary ?? []), ...(item.content ?? [])])
          parts.addText("reasoning-delta", text);
      if (item.type === "message")
        for (const piece of item.content)
          parts.addText("text-delta", piece.type === "refusal" ? piece.refusal : piece.text);
      if (item.type === "function_call" && !this.calls.has(item.id)) {
        this.calls.set(item.id, item.call_id);
        parts.add({ type: "tool-call-start", id: item.call_id, name: item.name });
        readFinishedItem(item, parts);
      }
    }
  }
}
