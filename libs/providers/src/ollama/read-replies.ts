import { randomUUID } from "node:crypto";
import type { ChatResponse, ToolCall } from "ollama";
import type { Vendor } from "../http/describe-fault.ts";
import { requireNoFault } from "../http/read-fault.ts";
import type { PartQueue, PartReader } from "../http/run-stream.ts";
import type { FinishReason } from "../spec/stream-part.ts";

function mapDoneReason(reason: string | undefined): FinishReason {
  switch (reason) {
    case "stop":
    case undefined:
    case "":
      return "stop";
    case "length":
      return "length";
    // The model was unloaded while it answered, or only loaded.
    case "load":
    case "unload":
      return "incomplete";
    default:
      return "other";
  }
}

/** Ollama sends each call whole, and in older versions without an id. */
function readToolCall(call: ToolCall & { id?: string }, parts: PartQueue): void {
  const id = call.id || `call_${randomUUID()}`;
  const { name } = call.function;
  const input = JSON.stringify(call.function.arguments ?? {});
  parts.add({ type: "tool-call-start", id, name });
  parts.add({ type: "tool-call-delta", id, text: input });
  parts.add({ type: "tool-call-end", id, name, input });
}

/** Converts the lines of a chat. Ollama reports neither cached nor reasoning tokens. */
export class ReplyReader implements PartReader<ChatResponse> {
  private hasCalls = false;

  constructor(private readonly vendor: Vendor) {}

  read(reply: ChatResponse, parts: PartQueue): void {
    if (!reply.message && !reply.done) requireNoFault(this.vendor, reply);
    parts.addText("reasoning-delta", reply.message?.thinking);
    parts.addText("text-delta", reply.message?.content);
    for (const call of reply.message?.tool_calls ?? []) {
      this.hasCalls = true;
      readToolCall(call, parts);
    }
    if (!reply.done) return;
    // Ollama doesn't recount a prompt cached from the last turn, so there is no accurate number.
    const counted =
      typeof reply.eval_count === "number" && typeof reply.prompt_eval_count === "number";
    const reason = mapDoneReason(reply.done_reason);
    parts.add({
      type: "finish",
      reason: this.hasCalls && reason === "stop" ? "tool-calls" : reason,
      usage: counted
        ? { inputTokens: reply.prompt_eval_count, outputTokens: reply.eval_count }
        : null,
    });
  }

  /** Ollama marks no end, but gateways in front of it may. */
  end(parts: PartQueue, isMarked: boolean): void {
    if (isMarked) parts.add({ type: "finish", reason: "stop", usage: null });
  }
}
