import type Anthropic from "@anthropic-ai/sdk";
import { runStream } from "../http/run-request.ts";
import type { LanguageModel, LanguageModelCall, ModelMessage } from "../spec/language-model.ts";
import type { StreamPart, Usage } from "../spec/stream-part.ts";
import {
  createAnthropicClient,
  describeAnthropicFault,
  type AnthropicEndpoint,
} from "./anthropic-client.ts";
import type { CacheControl } from "./map-cache-control.ts";
import { mapStopReason } from "./map-stop-reason.ts";

type Message = Anthropic.MessageParam;
type Event = Anthropic.RawMessageStreamEvent;

/** The Messages API requires a limit; every current model supports this one. */
const defaultMaxTokens = 8_192;
/** All Claude models since 2.1 (Anthropic's model page). */
export const contextWindow = 200_000;

function convertMessage({ role, content, images = [] }: ModelMessage): Message {
  if (images.length === 0) return { role, content };
  return {
    role,
    content: [
      ...images.map(({ mime, base64 }) => ({
        type: "image" as const,
        source: { type: "base64" as const, media_type: mime as "image/png", data: base64 },
      })),
      { type: "text" as const, text: content },
    ],
  };
}

/**
 * Anthropic rejects empty messages, which an answer aborted before its first word leaves behind.
 */
const hasContent = ({ content, images = [] }: ModelMessage): boolean =>
  content.trim() !== "" || images.length > 0;

export class AnthropicLanguageModel implements LanguageModel {
  readonly provider = "anthropic";
  readonly contextWindow = contextWindow;
  readonly answerTokens = defaultMaxTokens;
  constructor(
    private readonly endpoint: AnthropicEndpoint,
    readonly model: string,
    private readonly cacheControl: CacheControl,
  ) {}

  /** All models since Claude 3 (Anthropic's model page). */
  seesImages(): Promise<boolean> {
    return Promise.resolve(!/^claude-(?:instant|1|2)/.test(this.model));
  }

  stream(call: LanguageModelCall): AsyncIterable<StreamPart> {
    const cache =
      this.cacheControl === "none"
        ? {}
        : { cache_control: { type: "ephemeral" as const, ttl: this.cacheControl } };
    return runStream<Event>({
      signal: call.signal,
      describe: (fault, started) => describeAnthropicFault(this.endpoint.vendor, fault, started),
      open: async (signal) =>
        (await createAnthropicClient(this.endpoint)).messages.create(
          {
            model: this.model,
            stream: true,
            max_tokens: call.maxTokens ?? defaultMaxTokens,
            messages: call.messages.filter(hasContent).map(convertMessage),
            ...(call.system && {
              system: [{ type: "text" as const, text: call.system, ...cache }],
            }),
            // No temperature: API version 2026-10-21, which this SDK uses, rejects it with 400
            // (docs/decisions/model-providers.md).
          },
          { signal },
        ),
      read: readEvents,
    });
  }
}

async function* readEvents(events: AsyncIterable<Event>): AsyncIterable<StreamPart> {
  let usage = null as Usage | null;
  let reason: string | null = null;
  for await (const event of events) {
    switch (event.type) {
      case "message_start": {
        const {
          input_tokens,
          cache_creation_input_tokens,
          cache_read_input_tokens,
          output_tokens,
        } = event.message.usage;
        usage = {
          inputTokens:
            input_tokens + (cache_creation_input_tokens ?? 0) + (cache_read_input_tokens ?? 0),
          outputTokens: output_tokens,
        };
        break;
      }
      case "content_block_delta":
        if (event.delta.type === "text_delta" && event.delta.text)
          yield { type: "text-delta", text: event.delta.text };
        if (event.delta.type === "thinking_delta" && event.delta.thinking)
          yield { type: "reasoning-delta", text: event.delta.thinking };
        break;
      case "message_delta":
        reason = event.delta.stop_reason ?? reason;
        if (usage) usage = { ...usage, outputTokens: event.usage.output_tokens };
        break;
      case "message_stop":
        return yield { type: "finish", reason: mapStopReason(reason), usage };
      default:
        break;
    }
  }
}
