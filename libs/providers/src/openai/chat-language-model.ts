import type OpenAI from "openai";
import { runStream } from "../http/run-request.ts";
import type { LanguageModel, LanguageModelCall, ModelMessage } from "../spec/language-model.ts";
import type { StreamPart, Usage } from "../spec/stream-part.ts";
import { isReasoningModel } from "./known-models.ts";
import { mapChatFinishReason } from "./map-finish-reason.ts";
import { createOpenAiClient, describeOpenAiFault, type OpenAiEndpoint } from "./openai-client.ts";

type Message = OpenAI.Chat.ChatCompletionMessageParam;
type Chunk = OpenAI.Chat.ChatCompletionChunk;

function convertMessage({ role, content, images = [] }: ModelMessage): Message {
  if (role === "assistant") return { role, content };
  if (images.length === 0) return { role, content };
  return {
    role,
    content: [
      { type: "text", text: content },
      ...images.map(({ mime, base64 }) => ({
        type: "image_url" as const,
        image_url: { url: `data:${mime};base64,${base64}` },
      })),
    ],
  };
}

/**
 * DeepSeek, vLLM and llama.cpp call it reasoning_content, OpenRouter and others reasoning; OpenAI's
 * own protocol has neither.
 */
function reasoningOf(delta: object): string {
  if ("reasoning_content" in delta && typeof delta.reasoning_content === "string")
    return delta.reasoning_content;
  return "reasoning" in delta && typeof delta.reasoning === "string" ? delta.reasoning : "";
}

export interface ChatOptions extends OpenAiEndpoint {
  provider: string;
  model: string;
  contextWindow: number;
  maxTokens: number | undefined;
}

/** The chat completions protocol, used by servers other than OpenAI's. */
export class ChatLanguageModel implements LanguageModel {
  readonly provider: string;
  readonly model: string;
  readonly contextWindow: number;
  readonly answerTokens: number | null;
  constructor(private readonly options: ChatOptions) {
    this.provider = options.provider;
    this.model = options.model;
    this.contextWindow = options.contextWindow;
    this.answerTokens = options.maxTokens ?? null;
  }

  /** The protocol has no way to ask. */
  seesImages(): Promise<null> {
    return Promise.resolve(null);
  }

  stream(call: LanguageModelCall): AsyncIterable<StreamPart> {
    const maxTokens = call.maxTokens ?? this.options.maxTokens;
    return runStream<Chunk>({
      signal: call.signal,
      describe: (fault, started) => describeOpenAiFault(this.options.vendor, fault, started),
      open: async (signal) =>
        (await createOpenAiClient(this.options)).chat.completions.create(
          {
            model: this.model,
            stream: true,
            stream_options: { include_usage: true },
            messages: [
              ...(call.system ? [{ role: "system" as const, content: call.system }] : []),
              ...call.messages.map(convertMessage),
            ],
            // Reasoning models reject any temperature but their default; routers prefix the model's
            // name with its vendor.
            ...(call.temperature !== null &&
              !isReasoningModel(this.model.slice(this.model.lastIndexOf("/") + 1)) && {
                temperature: call.temperature,
              }),
            ...(maxTokens !== undefined && { max_tokens: maxTokens }),
          },
          { signal },
        ),
      read: readChunks,
    });
  }
}

async function* readChunks(chunks: AsyncIterable<Chunk>): AsyncIterable<StreamPart> {
  let reason: string | null = null;
  let usage: Usage | null = null;
  for await (const chunk of chunks) {
    const choice = chunk.choices?.[0];
    if (choice?.delta) {
      const reasoning = reasoningOf(choice.delta);
      if (reasoning) yield { type: "reasoning-delta", text: reasoning };
      if (choice.delta.content) yield { type: "text-delta", text: choice.delta.content };
    }
    reason = choice?.finish_reason ?? reason;
    if (chunk.usage)
      usage = {
        inputTokens: chunk.usage.prompt_tokens ?? 0,
        outputTokens: chunk.usage.completion_tokens ?? 0,
      };
  }
  // The counts follow the reason in a separate chunk. Without a reason the stream was cut off, even
  // if it closed cleanly.
  if (reason !== null) yield { type: "finish", reason: mapChatFinishReason(reason), usage };
}
