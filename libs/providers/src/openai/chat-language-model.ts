import { findCatalogueModel } from "../catalogue/model-catalogue.ts";
import { runStream } from "../http/run-stream.ts";
import { ServerSentEvents } from "../http/split-stream.ts";
import type { LanguageModel, LanguageModelCall } from "../spec/language-model.ts";
import type { StreamPart } from "../spec/stream-part.ts";
import { buildChatRequest } from "./chat-request.ts";
import { describeTransportFault } from "../http/describe-transport-fault.ts";
import { openAiHeaders, type OpenAiEndpoint } from "./openai-client.ts";
import { refuseOpenAi } from "./openai-error.ts";
import { ChatChunkReader } from "./read-chat-chunks.ts";

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
    const { vendor, baseUrl, limits } = this.options;
    return runStream({
      signal: call.signal,
      paceMs: call.paceMs,
      url: `${baseUrl}/chat/completions`,
      limits,
      headers: openAiHeaders(this.options),
      request: () =>
        buildChatRequest(call, {
          model: this.model,
          maxTokens: call.maxTokens ?? this.options.maxTokens,
          // OpenAI's reasoning models reject any temperature but their default, also behind a router,
          // which prefixes the model's id with its vendor.
          acceptsTemperature:
            findCatalogueModel("openai", this.model.slice(this.model.lastIndexOf("/") + 1))
              ?.temperature ?? true,
        }),
      splitter: new ServerSentEvents(),
      reader: new ChatChunkReader(vendor),
      refuse: (reply, text) => refuseOpenAi(vendor, reply, text),
      describe: (fault, started) => describeTransportFault(vendor, fault, started),
    });
  }
}
