import {
  splitSpans,
  type ChatCompletion,
  type FinishReason,
  type MetricsWire,
  type SourceWire,
  type ToolCall,
} from "@carrel/contracts";
import type { CollectedAnswer } from "../chat/collect-generation.ts";
import { annotate, toChatAnnotation, type AnswerEvents } from "./answer-reader.ts";

/** What all objects about one answer share. */
export interface AnswerHead {
  id: string;
  created: number;
  /** The workspace's slug. */
  model: string;
}

export function buildChatCompletion(
  { id, created, model }: AnswerHead,
  { text, reasoning, sources, metrics, error, refused, toolCalls }: CollectedAnswer,
): ChatCompletion {
  const { answer, reasoning: thoughts } = splitSpans(text, reasoning);
  const hasText = answer !== "" && !refused;
  const reason = error === null ? describeEnd(hasText, toolCalls, metrics) : "abort";
  return {
    id,
    object: "chat.completion",
    created,
    model,
    choices: [
      {
        index: 0,
        message: {
          role: "assistant",
          content: answer,
          ...(thoughts.length > 0 && { reasoning_content: joinReasoning(thoughts) }),
          annotations: annotate(answer, sources).map(toChatAnnotation),
          ...(toolCalls.length > 0 && { tool_calls: toolCalls.map(describeCall) }),
        },
        logprobs: null,
        finish_reason: reason,
      },
    ],
    usage: metrics ?? {},
  };
}

/** All of the model's reasoning, as one text. */
const joinReasoning = (blocks: readonly { text: string }[]): string =>
  blocks.map(({ text }) => text).join("\n\n");

const describeEnd = (
  hasText: boolean,
  calls: readonly ToolCall[],
  metrics: MetricsWire | null,
): FinishReason => {
  if (metrics?.finish_reason !== undefined) return metrics.finish_reason;
  return calls.length > 0 ? "tool_calls" : hasText ? "stop" : "no_content";
};

type CompletionCall = NonNullable<
  ChatCompletion["choices"][number]["message"]["tool_calls"]
>[number];

const describeCall = ({ id, name, input }: ToolCall): CompletionCall => ({
  id,
  type: "function",
  function: { name, arguments: input },
});

type Annotation = ReturnType<typeof toChatAnnotation>;

/** How a client wants to read a stream. */
interface ChunkStyle {
  /** Writes chunks exactly as OpenAI does, rather than as clients of the older wire expect. */
  exact: boolean;
  /** Sends usage in a last chunk without choices. */
  usageApart: boolean;
}

/** The frames of a streamed chat completion (wire-contract 9.6). */
export class ChatCompletionEvents implements AnswerEvents {
  private hasText = false;
  private hasBegun = false;

  constructor(
    private readonly head: AnswerHead,
    private readonly style: ChunkStyle,
    private readonly stream: { send(data: string): Promise<void> },
  ) {}

  text(piece: string): Promise<void> {
    this.hasText = true;
    return this.write(piece, null);
  }

  reasoning(piece: string): Promise<void> {
    return this.write("", null, { reasoning_content: piece });
  }

  /** The frame that closes the text. */
  sources(text: string, sources: readonly SourceWire[]): Promise<void> {
    return this.write("", null, { annotations: annotate(text, sources).map(toChatAnnotation) });
  }

  refused(text: string): Promise<void> {
    return this.write(text, "no_content");
  }

  failed(message: string): Promise<void> {
    const error = { message, type: "server_error", param: null, code: null };
    return this.stream.send(JSON.stringify({ error }));
  }

  async finished(metrics: MetricsWire, calls: readonly ToolCall[]): Promise<void> {
    if (calls.length > 0)
      await this.write("", null, {
        tool_calls: calls.map((call, index) => ({ index, ...describeCall(call) })),
      });
    const reason = describeEnd(this.hasText, calls, metrics);
    if (!this.style.usageApart) return this.write("", reason, {}, metrics);
    await this.write("", reason);
    await this.sendChunk([], metrics);
  }

  private write(
    content: string,
    reason: FinishReason | null,
    more: {
      reasoning_content?: string;
      annotations?: Annotation[];
      tool_calls?: CompletionCall[];
    } = {},
    usage: MetricsWire | object | null = this.style.exact || this.style.usageApart ? null : {},
  ): Promise<void> {
    // OpenAI's package for Python joins the roles of all chunks.
    const role = this.style.exact && this.hasBegun ? {} : { role: "assistant" };
    this.hasBegun = true;
    const delta = { ...role, content, ...more };
    return this.sendChunk([{ index: 0, delta, logprobs: null, finish_reason: reason }], usage);
  }

  private sendChunk(choices: unknown[], usage: MetricsWire | object | null): Promise<void> {
    const { id, created, model } = this.head;
    const object = this.style.exact ? "chat.completion.chunk" : "chat.completion";
    return this.stream.send(JSON.stringify({ id, object, created, model, choices, usage }));
  }
}
