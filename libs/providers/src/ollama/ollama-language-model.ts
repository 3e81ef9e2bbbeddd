import { requireNoFiles } from "../http/require-no-files.ts";
import { runStream } from "../http/run-stream.ts";
import { TextEvents } from "../http/split-stream.ts";
import type { LanguageModel, LanguageModelCall, ModelParameters } from "../spec/language-model.ts";
import type { StreamPart } from "../spec/stream-part.ts";
import type { ModelFacts } from "../vendors/vendor.ts";
import { buildChatRequest } from "./chat-request.ts";
import { createOllamaClient, refuseOllama, type OllamaEndpoint } from "./ollama-client.ts";
import { ReplyReader } from "./read-replies.ts";

export interface OllamaOptions extends OllamaEndpoint {
  model: string;
  contextWindow: number;
  facts?: ModelFacts | undefined;
  /**
   * false: the server's own context length applies and we don't set it (specification 2:
   * performance mode `base`).
   */
  setsContext: boolean;
  /** How long the model stays loaded, in seconds; -1 means forever. */
  keepAliveSeconds: number;
}

export class OllamaLanguageModel implements LanguageModel {
  readonly provider = "ollama";
  readonly model: string;
  readonly contextWindow: number;
  readonly answerTokens = null;
  private capabilities: readonly string[] | null = null;
  constructor(private readonly options: OllamaOptions) {
    this.model = options.model;
    this.contextWindow = options.facts?.contextWindow ?? options.contextWindow;
  }

  /** Other models only think or don't. */
  get parameters(): ModelParameters {
    return { temperature: true, topP: true, effort: /(?:^|\/)gpt-oss/.test(this.model) };
  }

  async supportsImages(signal: AbortSignal): Promise<boolean | null> {
    return this.options.facts?.vision ?? this.hasCapability("vision", signal);
  }

  async supportsTools(signal: AbortSignal): Promise<boolean | null> {
    return this.options.facts?.tools ?? this.hasCapability("tools", signal);
  }

  stream(call: LanguageModelCall): AsyncIterable<StreamPart> {
    const { vendor, baseUrl, authToken, limits, setsContext, keepAliveSeconds } = this.options;
    return runStream({
      vendor,
      signal: call.signal,
      paceMs: call.paceMs,
      url: `${baseUrl}/api/chat`,
      limits,
      headers: authToken ? { authorization: `Bearer ${authToken}` } : {},
      request: () => {
        requireNoFiles(vendor, call.messages);
        return buildChatRequest(call, {
          model: this.model,
          contextWindow: setsContext ? this.contextWindow : null,
          keepAliveSeconds,
          acceptsEffort: this.parameters.effort,
        });
      },
      splitter: new TextEvents(),
      reader: new ReplyReader(vendor),
      refuse: (reply, text) => refuseOllama(vendor, reply, text),
    });
  }

  /**
   * Reads `capabilities` from /api/show (since Ollama 0.6.4). Older servers don't report them, and
   * a failed request is repeated next time.
   */
  private async hasCapability(name: string, signal: AbortSignal): Promise<boolean | null> {
    if (this.capabilities === null) {
      try {
        const { capabilities } = await createOllamaClient(
          this.options,
          AbortSignal.any([signal, AbortSignal.timeout(3_000)]),
        ).show({ model: this.model });
        if (Array.isArray(capabilities)) this.capabilities = capabilities;
      } catch {
        // The server is unreachable or doesn't know the model; the actual question will report that
        // more clearly.
        return null;
      }
    }
    return this.capabilities?.includes(name) ?? null;
  }
}
