import { describeFault, type CalledVendor } from "../http/describe-fault.ts";
import { readFault, stoppedError } from "../http/read-fault.ts";
import type { PartQueue, PartReader } from "../http/run-stream.ts";
import { ToolCalls } from "../http/tool-calls.ts";
import type { FinishReason, Usage } from "../spec/stream-part.ts";

/**
 * Events of a streamed chat (docs.cohere.com/reference/chat-stream, v2, 2026); others are ignored.
 */
interface CohereEvent {
  type?: string;
  index?: number;
  delta?: {
    message?: {
      content?: { text?: string; thinking?: string };
      tool_plan?: string;
      /** A list from some gateways. */
      tool_calls?: CohereCall | CohereCall[];
    };
    error?: string;
    finish_reason?: string;
    usage?: CohereUsage;
  };
  /** Without a type: the whole message instead of a stream, or an error's text. */
  message?: string | CohereMessage;
  finish_reason?: string;
  usage?: CohereUsage;
}

interface CohereUsage {
  tokens?: { input_tokens?: number; output_tokens?: number };
  cached_tokens?: number;
}

interface CohereMessage {
  content?: { text?: string; thinking?: string }[];
  tool_plan?: string;
  tool_calls?: CohereCall[];
}

interface CohereCall {
  id?: string;
  function?: { name?: string; arguments?: string };
}

function mapFinishReason(reason: string | undefined): FinishReason {
  switch (reason) {
    case "COMPLETE":
    case "STOP_SEQUENCE":
      return "stop";
    case "MAX_TOKENS":
      return "length";
    case "TOOL_CALL":
      return "tool-calls";
    case "ERROR_LIMIT":
      return "length";
    case "ERROR_TOXIC":
      return "content-filter";
    case "TIMEOUT":
    case "USER_CANCEL":
      return "incomplete";
    default:
      return "other";
  }
}

function readUsage({ tokens, cached_tokens: cached }: CohereUsage): Usage | null {
  if (tokens === undefined) return null;
  return {
    inputTokens: tokens.input_tokens ?? 0,
    outputTokens: tokens.output_tokens ?? 0,
    ...(cached !== undefined && { cachedInputTokens: cached }),
  };
}

/** Converts the events of a streamed chat. A plan for calls is reasoning. */
export class CohereReader implements PartReader<CohereEvent> {
  private readonly calls = new ToolCalls();

  constructor(private readonly vendor: CalledVendor) {}

  read(event: CohereEvent, parts: PartQueue): void {
    const { type, index = 0, delta } = event;
    switch (type) {
      case "content-start":
      case "content-delta":
        parts.addText("reasoning-delta", delta?.message?.content?.thinking);
        parts.addText("text-delta", delta?.message?.content?.text);
        break;
      case "tool-plan-delta":
        parts.addText("reasoning-delta", delta?.message?.tool_plan);
        break;
      case "tool-call-start":
      case "tool-call-delta":
        this.addCall(index, delta?.message?.tool_calls, parts);
        break;
      case "tool-call-end":
        this.calls.end(index, parts);
        break;
      case "message-end":
        this.finish(delta, parts);
        break;
      case "error":
        throw describeFault(this.vendor, readFault(event) ?? {});
      case undefined:
        this.readUntyped(event, parts);
        break;
      default:
    }
  }

  end(parts: PartQueue, isMarked: boolean): void {
    if (!isMarked) return;
    this.calls.endAll(parts);
    parts.add({ type: "finish", reason: this.calls.correct("stop"), usage: null });
  }

  private readUntyped(event: CohereEvent, parts: PartQueue): void {
    const { message, finish_reason, usage } = event;
    if (typeof message !== "object") throw describeFault(this.vendor, readFault(event) ?? {});
    parts.addText("reasoning-delta", message.tool_plan);
    for (const { text, thinking } of message.content ?? []) {
      parts.addText("reasoning-delta", thinking);
      parts.addText("text-delta", text);
    }
    for (const [index, call] of (message.tool_calls ?? []).entries()) {
      this.addCall(index, call, parts);
    }
    this.finish(
      { ...(finish_reason !== undefined && { finish_reason }), ...(usage && { usage }) },
      parts,
    );
  }

  private addCall(index: number, call: CohereCall | CohereCall[] | undefined, parts: PartQueue) {
    const { id, function: called } = (Array.isArray(call) ? call[0] : call) ?? {};
    this.calls.add(index, { id, name: called?.name, input: called?.arguments }, parts);
  }

  private finish(delta: CohereEvent["delta"], parts: PartQueue): void {
    if (delta?.error) throw describeFault(this.vendor, { message: delta.error });
    if (delta?.finish_reason === "ERROR") throw stoppedError(this.vendor);
    this.calls.endAll(parts);
    parts.add({
      type: "finish",
      reason: this.calls.correct(mapFinishReason(delta?.finish_reason)),
      usage: delta?.usage === undefined ? null : readUsage(delta.usage),
    });
  }
}
