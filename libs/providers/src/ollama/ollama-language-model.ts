import type { ChatResponse, Message } from "ollama";
import { runStream } from "../http/run-request.ts";
import type { LanguageModel, LanguageModelCall } from "../spec/language-model.ts";
import type { FinishReason, StreamPart } from "../spec/stream-part.ts";
import { createOllamaClient, describeOllamaFault, type OllamaEndpoint } from "./ollama-client.ts";

export interface OllamaOptions extends OllamaEndpoint {
  model: string;
  contextWindow: number;
  /**
   * false: the server's own context length applies and we don't set it (specification 2:
   * performance mode `base`).
   */
  setsContext: boolean;
  /** How long the model stays loaded, in seconds; -1 means forever. */
  keepAliveSeconds: number;
}

function mapDoneReason(reason: string | undefined): FinishReason {
  switch (reason) {
    case "stop":
    case undefined:
    case "":
      return "stop";
    case "length":
      return "length";
    default:
      return "other";
  }
}

export class OllamaLanguageModel implements LanguageModel {
  readonly provider = "ollama";
  readonly model: string;
  readonly contextWindow: number;
  readonly answerTokens = null;
  private sees: boolean | null = null;
  constructor(private readonly options: OllamaOptions) {
    this.model = options.model;
    this.contextWindow = options.contextWindow;
  }

  /**
   * Reads `capabilities` from /api/show (since Ollama 0.6.4). Older servers don't report them, and
   * a failed request is repeated next time.
   */
  async seesImages(signal: AbortSignal): Promise<boolean | null> {
    if (this.sees !== null) return this.sees;
    try {
      const { capabilities } = await createOllamaClient(
        this.options,
        AbortSignal.any([signal, AbortSignal.timeout(3_000)]),
      ).show({ model: this.model });
      if (Array.isArray(capabilities)) this.sees = capabilities.includes("vision");
    } catch {
      // The server is unreachable or doesn't know the model; the actual question will report that
      // more clearly.
      return null;
    }
    return this.sees;
  }

  stream(call: LanguageModelCall): AsyncIterable<StreamPart> {
    const messages: Message[] = [
      ...(call.system ? [{ role: "system", content: call.system }] : []),
      ...call.messages.map(({ role, content, images = [] }) => ({
        role,
        content,
        ...(images.length > 0 && { images: images.map((image) => image.base64) }),
      })),
    ];
    return runStream<ChatResponse>({
      signal: call.signal,
      describe: (fault, started) => describeOllamaFault(this.options.vendor, fault, started),
      open: (signal) =>
        createOllamaClient(this.options, signal).chat({
          model: this.model,
          messages,
          stream: true,
          keep_alive: this.options.keepAliveSeconds < 0 ? -1 : `${this.options.keepAliveSeconds}s`,
          options: {
            ...(this.options.setsContext && { num_ctx: this.contextWindow }),
            ...(call.temperature !== null && { temperature: call.temperature }),
            ...(call.maxTokens !== undefined && { num_predict: call.maxTokens }),
          },
        }),
      read: readReplies,
    });
  }
}

async function* readReplies(replies: AsyncIterable<ChatResponse>): AsyncIterable<StreamPart> {
  for await (const reply of replies) {
    if (reply.message?.thinking) yield { type: "reasoning-delta", text: reply.message.thinking };
    if (reply.message?.content) yield { type: "text-delta", text: reply.message.content };
    if (!reply.done) continue;
    // Ollama doesn't recount a prompt cached from the last turn, so there is no accurate number.
    const counted =
      typeof reply.eval_count === "number" && typeof reply.prompt_eval_count === "number";
    return yield {
      type: "finish",
      reason: mapDoneReason(reply.done_reason),
      usage: counted
        ? { inputTokens: reply.prompt_eval_count, outputTokens: reply.eval_count }
        : null,
    };
  }
}
