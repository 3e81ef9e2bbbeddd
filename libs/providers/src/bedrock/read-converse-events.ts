import type { EventStreamCodec } from "@smithy/core/event-streams";
import { describeFault, type CalledVendor } from "../http/describe-fault.ts";
import { readFault } from "../http/read-fault.ts";
import type { PartQueue, PartReader } from "../http/run-stream.ts";
import type { StreamSplitter } from "../http/split-stream.ts";
import { ToolCalls } from "../http/tool-calls.ts";
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
const wholeReply = "reply";

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
  private readonly calls = new ToolCalls();
  /** Signatures of open reasoning, by its block. */
  private readonly signatures = new Map<number, string>();
  private reason: string | null = null;

  constructor(private readonly vendor: CalledVendor) {}

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
    const blocks = output.message?.content ?? [];
    for (const [index, { text, toolUse, reasoningContent }] of blocks.entries()) {
      parts.addText("reasoning-delta", reasoningContent?.reasoningText?.text);
      parts.addText("text-delta", text);
      if (toolUse === undefined) continue;
      const { toolUseId: id, name, input } = toolUse;
      this.calls.add(index, { id, name, input }, parts);
    }
    this.reason = stopReason;
    this.finish(data, parts);
  }

  private start(index: number, { start }: ConverseData, parts: PartQueue): void {
    if (start?.toolUse === undefined) return;
    const { toolUseId: id, name } = start.toolUse;
    this.calls.add(index, { id, name }, parts);
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
    if (reasoningContent?.signature !== undefined)
      this.signatures.set(index, (this.signatures.get(index) ?? "") + reasoningContent.signature);
    if (this.calls.has(index)) this.calls.add(index, { input: toolUse?.input }, parts);
  }

  private stop(index: number, parts: PartQueue): void {
    const signature = this.signatures.get(index);
    this.signatures.delete(index);
    if (signature) parts.add({ type: "reasoning-end", metadata: { bedrock: { signature } } });
    this.calls.end(index, parts);
  }

  private finish({ usage }: ConverseData, parts: PartQueue): void {
    this.calls.endAll(parts);
    parts.add({
      type: "finish",
      reason: this.calls.correct(mapStopReason(this.reason ?? "")),
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

type EventStreams = typeof import("@smithy/core/event-streams");

/** AWS's own codec, loaded by the first call. */
let codecs: Promise<EventStreams> | undefined;
export const loadEventStreams = (): Promise<EventStreams> =>
  (codecs ??= import("@smithy/core/event-streams"));

const lengthBytes = 4;
/** Limits for the length of a message, in bytes. */
const shortest = 16;
const longest = 16 * 1024 * 1024;
/** Not JSON, so it breaks the answer off, but only after the messages before it. */
const damaged = "{damaged";
const brace = 0x7b;

/**
 * The messages of AWS's binary event streams (application/vnd.amazon.eventstream) as JSON: the type
 * from a message's headers, and its payload.
 */
export class EventStreamMessages implements StreamSplitter {
  private rest: Buffer = Buffer.alloc(0);
  /** Whether the reply is JSON instead, as gateways send; null before its first byte. */
  private isJson: boolean | null = null;
  private readonly codec: EventStreamCodec;

  constructor({ EventStreamCodec: Codec }: EventStreams) {
    this.codec = new Codec(
      (bytes) => (typeof bytes === "string" ? bytes : Buffer.from(bytes).toString("utf8")),
      (text) => Buffer.from(text, "utf8"),
    );
  }

  push(bytes: Uint8Array): string[] {
    let left = this.rest.length === 0 ? Buffer.from(bytes) : Buffer.concat([this.rest, bytes]);
    if (left.length > 0) this.isJson ??= left[0] === brace;
    const events: string[] = [];
    if (this.isJson === true) {
      this.rest = left;
      return left.length > longest ? [damaged] : events;
    }
    while (left.length >= lengthBytes) {
      const length = left.readUInt32BE(0);
      if (length < shortest || length > longest) return [...events, damaged];
      if (left.length < length) break;
      events.push(this.read(left.subarray(0, length)));
      left = left.subarray(length);
    }
    this.rest = left;
    return events;
  }

  /** An incomplete message means that the stream was cut off; so does a missing end. */
  end(): string[] {
    return this.isJson === true
      ? [`{"type":"${wholeReply}","data":${this.rest.toString("utf8")}}`]
      : [];
  }

  /** The codec verifies the message's checksums. */
  private read(message: Buffer): string {
    let decoded;
    try {
      decoded = this.codec.decode(message);
    } catch {
      return damaged;
    }
    const { headers, body } = decoded;
    if (headers[":message-type"]?.value === "error")
      return JSON.stringify({
        error: {
          code: headers[":error-code"]?.value ?? "",
          message: headers[":error-message"]?.value ?? "",
        },
      });
    const type = headers[":event-type"] ?? headers[":exception-type"];
    const payload = Buffer.from(body).toString("utf8");
    return `{"type":${JSON.stringify(String(type?.value))},"data":${payload === "" ? "{}" : payload}}`;
  }
}
