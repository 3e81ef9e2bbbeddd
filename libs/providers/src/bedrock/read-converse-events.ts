import { describeFault, type Vendor } from "../http/describe-fault.ts";
import type { PartQueue } from "../http/part-queue.ts";
import type { PartReader } from "../http/run-stream.ts";
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
  /** Of an exception. */
  message?: string;
}
export interface ConverseEvent {
  type: string;
  data: ConverseData;
}

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
    default:
      return "other";
  }
}

/** Like Anthropic, it counts what it read from or wrote to a cache beside the rest. */
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

/** Converts the events of ConverseStream; the counts follow the reason, in the last one. */
export class ConverseReader implements PartReader<ConverseEvent> {
  private readonly open = new Map<number, OpenBlock>();
  private reason: string | null = null;

  constructor(private readonly vendor: Vendor) {}

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
      default:
        if (/exception$/i.test(type)) throw this.describe(type, data);
    }
  }

  /** Without counts, the answer is over when the connection is. */
  end(parts: PartQueue): void {
    if (this.reason !== null) this.finish({}, parts);
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

  private describe(type: string, { message = "" }: ConverseData) {
    const statusCode = statuses[type];
    return describeFault(this.vendor, {
      ...(statusCode !== undefined && { statusCode }),
      code: type,
      message,
    });
  }
}
