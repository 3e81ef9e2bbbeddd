import type { ChatCompletion, FinishReason, MetricsWire, SourceWire } from "@carrel/contracts";
import type { CollectedAnswer } from "../chat/collect-generation.ts";
import { annotate, toChatAnnotation } from "./annotations.ts";
import type { AnswerEvents } from "./answer-reader.ts";

/** What all objects about one answer have in common. */
export interface AnswerHead {
  id: string;
  created: number;
  /** The workspace's slug. */
  model: string;
}

export function buildChatCompletion(
  { id, created, model }: AnswerHead,
  { text, sources, metrics, error, refused }: CollectedAnswer,
): ChatCompletion {
  const isEmpty = refused || text === "";
  const reason: FinishReason = error !== null ? "abort" : isEmpty ? "no_content" : "stop";
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
          content: text,
          annotations: annotate(text, sources).map(toChatAnnotation),
        },
        logprobs: null,
        finish_reason: reason,
      },
    ],
    usage: metrics ?? {},
  };
}

type Annotation = ReturnType<typeof toChatAnnotation>;

/** The frames of a streamed chat completion (wire-contract 9.6). */
export class ChatCompletionEvents implements AnswerEvents {
  private hasText = false;

  constructor(
    private readonly head: AnswerHead,
    private readonly stream: { send(data: string): Promise<void> },
  ) {}

  text(piece: string): Promise<void> {
    this.hasText = true;
    return this.write(piece, null);
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

  finished(metrics: MetricsWire): Promise<void> {
    return this.write("", this.hasText ? "stop" : "no_content", { usage: metrics });
  }

  private write(
    content: string,
    reason: FinishReason | null,
    { annotations, usage = {} }: { annotations?: Annotation[]; usage?: MetricsWire | object } = {},
  ): Promise<void> {
    const { id, created, model } = this.head;
    return this.stream.send(
      JSON.stringify({
        id,
        object: "chat.completion",
        created,
        model,
        choices: [
          {
            index: 0,
            delta: { role: "assistant", content, ...(annotations && { annotations }) },
            logprobs: null,
            finish_reason: reason,
          },
        ],
        usage,
      }),
    );
  }
}
