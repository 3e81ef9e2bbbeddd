import type OpenAI from "openai";
import { findCatalogueModel } from "../catalogue/model-catalogue.ts";
import { runStream } from "../http/run-request.ts";
import type { LanguageModel, LanguageModelCall } from "../spec/language-model.ts";
import type { StreamPart } from "../spec/stream-part.ts";
import { buildChatRequest } from "./chat-request.ts";
import { createOpenAiClient, describeOpenAiFault, type OpenAiEndpoint } from "./openai-client.ts";
import { readChatChunks } from "./read-chat-chunks.ts";

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
  supportsImages(): Promise<null> {
    return Promise.resolve(null);
  }

  /** The protocol has no way to ask. */
  supportsTools(): Promise<null> {
    return Promise.resolve(null);
  }

  stream(call: LanguageModelCall): AsyncIterable<StreamPart> {
    const request = buildChatRequest(call, {
      model: this.model,
      maxTokens: call.maxTokens ?? this.options.maxTokens,
      // OpenAI's reasoning models reject any temperature but their default, also behind a router,
      // which prefixes the model's id with its vendor.
      acceptsTemperature:
        findCatalogueModel("openai", this.model.slice(this.model.lastIndexOf("/") + 1))
          ?.temperature ?? true,
    });
    return runStream<OpenAI.Chat.ChatCompletionChunk>({
      signal: call.signal,
      describe: (fault, started) => describeOpenAiFault(this.options.vendor, fault, started),
      open: async (signal) =>
        (await createOpenAiClient(this.options)).chat.completions.create(request, { signal }),
      read: readChatChunks,
    });
  }
}
