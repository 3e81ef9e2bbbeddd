import { findCatalogueModel } from "../catalogue/model-catalogue.ts";
import { runStream } from "../http/run-stream.ts";
import { TextEvents } from "../http/split-stream.ts";
import type { LanguageModel, LanguageModelCall, ModelParameters } from "../spec/language-model.ts";
import { requireNoFiles } from "../spec/message.ts";
import type { StreamPart } from "../spec/stream-part.ts";
import { buildChatRequest, type ChatDialect } from "./chat-request.ts";
import { openAiHeaders, refuseOpenAi, type OpenAiEndpoint } from "./openai-client.ts";
import { ChatChunkReader } from "./read-chat-chunks.ts";

/** What a server says about a model. */
export interface ModelAbilities {
  images?: boolean | undefined;
  tools?: boolean | undefined;
}

export interface ChatOptions extends OpenAiEndpoint {
  provider: string;
  model: string;
  contextWindow: number;
  maxTokens: number | undefined;
  /**
   * Asks the server for the context window if nobody set one; undefined if it doesn't say. Never
   * throws.
   */
  findWindow?: ((signal: AbortSignal) => Promise<number | undefined>) | undefined;
  /** Asks the server what the model accepts; undefined if it doesn't say. Never throws. */
  findAbilities?: ((signal: AbortSignal) => Promise<ModelAbilities | undefined>) | undefined;
  /** What the model accepts; undefined or null if the server or a request can tell. */
  images?: boolean | null;
  tools?: boolean | null;
  /** Whether it thinks, as far as is known. */
  reasoning?: boolean | undefined;
  /** Default: true. */
  files?: boolean;
  dialect?: ChatDialect;
  /**
   * How long to wait for the counts and the end mark once the model has finished, for vendors that
   * may leave the connection open.
   */
  endWithinMs?: number;
}

/** A server may be restarted with another window. */
const knownMs = 10 * 60_000;
/** Longer than `findWindow`'s own timeouts together. */
const askMs = 10_000;

/** The chat completions protocol, used by servers other than OpenAI's. */
export class ChatLanguageModel implements LanguageModel {
  readonly provider: string;
  readonly model: string;
  contextWindow: number;
  readonly answerTokens: number | null;
  /** How long the server's answer stays valid, as `performance.now()`. */
  private knownUntil = -Infinity;
  private asking: Promise<void> | null = null;
  private hasAsked = false;
  private hasFound = false;
  private hasStreamed = false;
  private abilities: ModelAbilities | undefined;
  constructor(private readonly options: ChatOptions) {
    this.provider = options.provider;
    this.model = options.model;
    this.contextWindow = options.contextWindow;
    this.answerTokens = options.maxTokens ?? null;
  }

  /** Only the first call waits; later calls refresh in the background. */
  async prepare(signal: AbortSignal): Promise<void> {
    const { findWindow } = this.options;
    if (findWindow === undefined || performance.now() < this.knownUntil) return;
    this.asking ??= this.ask(findWindow).finally(() => {
      this.asking = null;
    });
    if (!this.hasAsked) await untilAborted(this.asking, signal);
  }

  /** Runs on behalf of all callers, so none of them can abort it. */
  private async ask(findWindow: NonNullable<ChatOptions["findWindow"]>): Promise<void> {
    const found = await findWindow(AbortSignal.timeout(askMs));
    this.hasAsked = true;
    this.hasFound ||= found !== undefined;
    // A previous answer is better than none.
    if (found !== undefined) this.contextWindow = found;
    this.knownUntil = performance.now() + knownMs;
  }

  get parameters(): ModelParameters {
    const { dialect = {}, reasoning = false } = this.options;
    const temperature = acceptsTemperature(this.model, dialect);
    return { temperature, topP: temperature, effort: reasoning && dialect.effortFields !== null };
  }

  async supportsImages(signal: AbortSignal): Promise<boolean | null> {
    return this.options.images ?? (await this.askAbilities(signal))?.images ?? null;
  }

  async supportsTools(signal: AbortSignal): Promise<boolean | null> {
    return this.options.tools ?? (await this.askAbilities(signal))?.tools ?? null;
  }

  /** The protocol has no way to ask, but some servers have. A failed request is repeated. */
  private async askAbilities(signal: AbortSignal): Promise<ModelAbilities | undefined> {
    return (this.abilities ??= await this.options.findAbilities?.(signal));
  }

  stream(call: LanguageModelCall): AsyncIterable<StreamPart> {
    const { vendor, baseUrl, limits, dialect = {}, files = true, endWithinMs } = this.options;
    // Ollama reports the window only for loaded models, and the first answer loads the model.
    if (!this.hasStreamed && !this.hasFound) this.knownUntil = -Infinity;
    this.hasStreamed = true;
    return runStream({
      vendor,
      signal: call.signal,
      paceMs: call.paceMs,
      url: withPath(baseUrl, "/chat/completions"),
      limits,
      headers: openAiHeaders(this.options),
      request: () => {
        if (!files) requireNoFiles(vendor, call.messages);
        return buildChatRequest(call, {
          model: this.model,
          maxTokens: call.maxTokens ?? this.options.maxTokens,
          acceptsTemperature: this.parameters.temperature,
          acceptsTools: this.options.tools !== false,
          acceptsEffort: this.parameters.effort,
          dialect,
        });
      },
      splitter: new TextEvents(),
      reader: new ChatChunkReader(vendor, dialect.readFault),
      refuse: (reply, text) => refuseOpenAi(vendor, reply, text),
      endWithinMs,
    });
  }
}

/**
 * OpenAI's reasoning models reject any temperature but their default, even behind a router, which
 * prefixes the model's id with its vendor.
 */
const acceptsTemperature = (model: string, { fixesTemperature }: ChatDialect): boolean =>
  fixesTemperature?.(model) !== true &&
  (findCatalogueModel("openai", model.slice(model.lastIndexOf("/") + 1))?.temperature ?? true);

/** Waits for the promise, but not beyond the signal. */
async function untilAborted(promise: Promise<void>, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  const aborted = Promise.withResolvers<void>();
  const stop = (): void => aborted.resolve();
  signal.addEventListener("abort", stop, { once: true });
  await Promise.race([promise, aborted.promise]);
  signal.removeEventListener("abort", stop);
}

/** Azure's addresses may end with an api-version. */
function withPath(baseUrl: string, path: string): string {
  const query = baseUrl.indexOf("?");
  return query === -1 ? baseUrl + path : baseUrl.slice(0, query) + path + baseUrl.slice(query);
}
