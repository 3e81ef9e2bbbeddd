import type OpenAI from "openai";
import { describeFault, type Vendor } from "../http/describe-fault.ts";
import { runStream } from "../http/run-request.ts";
import type { LanguageModel, LanguageModelCall, ModelMessage } from "../spec/language-model.ts";
import type { FinishReason, StreamPart } from "../spec/stream-part.ts";
import { isReasoningModel, openAiContextWindow, seesOpenAiImages } from "./known-models.ts";
import { mapIncompleteReason } from "./map-finish-reason.ts";
import { createOpenAiClient, describeOpenAiFault, type OpenAiEndpoint } from "./openai-client.ts";

type Event = OpenAI.Responses.ResponseStreamEvent;
type Input = OpenAI.Responses.ResponseInputItem;

function convertMessage({ role, content, images = [] }: ModelMessage): Input {
  if (role === "assistant" || images.length === 0) return { role, content };
  return {
    role,
    content: [
      { type: "input_text", text: content },
      ...images.map(({ mime, base64 }) => ({
        type: "input_image" as const,
        detail: "auto" as const,
        image_url: `data:${mime};base64,${base64}`,
      })),
    ],
  };
}

/**
 * OpenAI's own models, through the Responses API (docs/decisions/model-providers.md). OpenAI stores
 * nothing (`store: false`).
 */
export class ResponsesLanguageModel implements LanguageModel {
  readonly provider = "openai";
  readonly model: string;
  readonly contextWindow: number;
  readonly answerTokens = null;
  constructor(
    private readonly endpoint: OpenAiEndpoint,
    model: string,
  ) {
    this.model = model;
    this.contextWindow = openAiContextWindow(model);
  }

  seesImages(): Promise<boolean> {
    return Promise.resolve(seesOpenAiImages(this.model));
  }

  stream(call: LanguageModelCall): AsyncIterable<StreamPart> {
    const reasons = isReasoningModel(this.model);
    return runStream<Event>({
      signal: call.signal,
      describe: (fault, started) => describeOpenAiFault(this.endpoint.vendor, fault, started),
      open: async (signal) =>
        (await createOpenAiClient(this.endpoint)).responses.create(
          {
            model: this.model,
            stream: true,
            store: false,
            input: call.messages.map(convertMessage),
            ...(call.system && { instructions: call.system }),
            // Reasoning models reject any temperature but their default.
            ...(call.temperature !== null && !reasons && { temperature: call.temperature }),
            ...(call.maxTokens !== undefined && { max_output_tokens: call.maxTokens }),
          },
          { signal },
        ),
      read: (events) => readEvents(events, this.endpoint.vendor),
    });
  }
}

async function* readEvents(
  events: AsyncIterable<Event>,
  vendor: Vendor,
): AsyncIterable<StreamPart> {
  const finish = (reason: FinishReason, response: OpenAI.Responses.Response): StreamPart => ({
    type: "finish",
    reason,
    usage: response.usage
      ? { inputTokens: response.usage.input_tokens, outputTokens: response.usage.output_tokens }
      : null,
  });
  for await (const event of events) {
    switch (event.type) {
      case "response.output_text.delta":
      case "response.refusal.delta":
        if (event.delta) yield { type: "text-delta", text: event.delta };
        break;
      case "response.reasoning_summary_text.delta":
      case "response.reasoning_text.delta":
        if (event.delta) yield { type: "reasoning-delta", text: event.delta };
        break;
      case "response.completed":
        return yield finish("stop", event.response);
      case "response.incomplete":
        return yield finish(
          mapIncompleteReason(event.response.incomplete_details?.reason),
          event.response,
        );
      case "response.failed":
        throw describeFault(vendor, {
          code: event.response.error?.code,
          message: event.response.error?.message,
        });
      case "error":
        throw describeFault(vendor, { code: event.code ?? undefined, message: event.message });
      default:
        break; // the other events frame what the deltas already said
    }
  }
}
