import { describeFault, type Vendor } from "../http/describe-fault.ts";
import { readFault } from "../http/read-fault.ts";
import type { PartQueue, PartReader } from "../http/run-stream.ts";
import type { FinishReason, Usage } from "../spec/stream-part.ts";

/** ConverseStreamOutput (AWS API reference, Bedrock Runtime, 2026). */
interface ConverseData {
  contentBlockIndex?: number;
  start?: { toolUse?: { toolUseId: string; name: string } };
  delta?: {
    text?: string;
    toolUse?: { input?: string };
    reasoningContent?: { text?: string; signature?: string; redactedContent?: string };
  };
  stopReason?: string;
  usage?: {
    inputTokens?: number;
    outputTokens?: number;
    cacheReadInputTokens?: number;
    cacheWriteInputTokens?: number;
  };
  /** Set in an exception. */
  message?: string;
  originalMessage?: string;
  /** Set in a reply that isn't streamed. */
  output?: { message?: { content?: ConverseBlock[] } };
}
interface ConverseBlock {
  text?: string;
  toolUse?: { toolUseId: string; name: string; input?: object };
  reasoningContent?: { reasoningText?: { text?: string } };
}
export interface ConverseEvent {
  type: string;
  data: ConverseData;
}

/** The type of the single event when the reply is JSON instead of a stream. */
export const wholeReply = "reply";

type OpenBlock = { tool?: { id: string; name: string; input: string }; signature: string };

function mapStopReason(reason: string): FinishReason {
  switch (reason) {
    case "end_turn":
    case "stop_sequence":
      return "stop";
    case "max_tokens":
    case "model_context_window_exceeded":
      return "length";
    case "tool_use":
      return "tool-calls";
    case "guardrail_intervened":
    case "content_filtered":
      return "content-filter";
    case "malformed_model_output":
    case "malformed_tool_use":
      return "incomplete";
    default:
      return "other";
  }
}

/** Like Anthropic, Bedrock counts cached tokens separately. */
function readUsage(usage: NonNullable<ConverseData["usage"]>): Usage {
  const cached = usage.cacheReadInputTokens ?? 0;
  return {
    inputTokens: (usage.inputTokens ?? 0) + cached + (usage.cacheWriteInputTokens ?? 0),
    outputTokens: usage.outputTokens ?? 0,
    cachedInputTokens: cached,
  };
}

/** The kinds of exception that may interrupt an answer, as statuses of replies. */
const statuses: Partial<Record<string, number>> = {
  throttlingException: 429,
  serviceUnavailableException: 503,
  validationException: 400,
};

/** Converts the events of ConverseStream; the counts come after the reason, in the last one. */
export class ConverseReader implements PartReader<ConverseEvent> {
  private readonly open = new Map<number, OpenBlock>();
  private reason: string | null = null;

  constructor(private readonly vendor: Vendor) {}

  get isComplete(): boolean {
    return this.reason !== null;
  }

  read({ type, data }: ConverseEvent, parts: PartQueue): void {
    const index = data.contentBlockIndex ?? 0;
    switch (type) {
      case "messageStart":
        break;
      case "contentBlockStart":
        this.start(index, data, parts);
        break;
      case "contentBlockDelta":
        this.add(index, data.delta ?? {}, parts);
        break;
      case "contentBlockStop":
        this.stop(index, parts);
        break;
      case "messageStop":
        this.reason = data.stopReason ?? "";
        break;
      case "metadata":
        this.finish(data, parts);
        break;
      case wholeReply:
        this.readWhole(data, parts);
        break;
      default:
        if (/exception$/i.test(type)) throw this.describe(type, data);
    }
  }

  /** Without counts, the answer ends when the connection does. */
  end(parts: PartQueue): void {
    if (this.reason !== null) this.finish({}, parts);
  }

  private readWhole(data: ConverseData, parts: PartQueue): void {
    const { output, stopReason = "" } = data;
    if (output === undefined) throw describeFault(this.vendor, readFault(data) ?? {});
    for (const { text, toolUse, reasoningContent } of output.message?.content ?? []) {
      parts.addText("reasoning-delta", reasoningContent?.reasoningText?.text);
      parts.addText("text-delta", text);
      if (toolUse === undefined) continue;
      const { toolUseId: id, name, input = {} } = toolUse;
      parts.add({ type: "tool-call-start", id, name });
      parts.add({ type: "tool-call-end", id, name, input: JSON.stringify(input) });
    }
    this.reason = stopReason;
    this.finish(data, parts);
  }

  private start(index: number, { start }: ConverseData, parts: PartQueue): void {
    if (start?.toolUse === undefined) return;
    const { toolUseId: id, name } = start.toolUse;
    this.open.set(index, { tool: { id, name, input: "" }, signature: "" });
    parts.add({ type: "tool-call-start", id, name });
  }

  private add(index: number, delta: NonNullable<ConverseData["delta"]>, parts: PartQueue): void {
    const { text, toolUse, reasoningContent } = delta;
    parts.addText("text-delta", text);
    parts.addText("reasoning-delta", reasoningContent?.text);
    if (reasoningContent?.redactedContent !== undefined)
      parts.add({
        type: "reasoning-end",
        metadata: { bedrock: { redacted: reasoningContent.redactedContent } },
      });
    if (reasoningContent?.signature !== undefined) {
      const block = this.open.get(index) ?? { signature: "" };
      block.signature += reasoningContent.signature;
      this.open.set(index, block);
    }
    const tool = this.open.get(index)?.tool;
    if (tool === undefined || !toolUse?.input) return;
    tool.input += toolUse.input;
    parts.add({ type: "tool-call-delta", id: tool.id, text: toolUse.input });
  }

  private stop(index: number, parts: PartQueue): void {
    const block = this.open.get(index);
    this.open.delete(index);
    if (block === undefined) return;
    if (block.signature !== "")
      parts.add({ type: "reasoning-end", metadata: { bedrock: { signature: block.signature } } });
    if (block.tool)
      parts.add({ type: "tool-call-end", ...block.tool, input: block.tool.input || "{}" });
  }

  private finish({ usage }: ConverseData, parts: PartQueue): void {
    parts.add({
      type: "finish",
      reason: mapStopReason(this.reason ?? ""),
      usage: usage === undefined ? null : readUsage(usage),
    });
  }

  private describe(
    type: string,
    { originalMessage = "", message = originalMessage }: ConverseData,
  ) {
    const statusCode = statuses[type];
    return describeFault(this.vendor, {
      ...(statusCode !== undefined && { statusCode }),
      code: type,
      message,
    });
  }
}
