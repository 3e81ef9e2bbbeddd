import { requireNoFiles } from "../http/require-no-files.ts";
import { runStream } from "../http/run-stream.ts";
import { TextEvents } from "../http/split-stream.ts";
import type { LanguageModel, LanguageModelCall, ModelParameters } from "../spec/language-model.ts";
import type { StreamPart } from "../spec/stream-part.ts";
import type { ModelFacts } from "../vendors/vendor.ts";
import { buildChatRequest } from "./chat-request.ts";
import { cohereHeaders, refuseCohereReply, type CohereEndpoint } from "./cohere-endpoint.ts";
import { CohereReader } from "./read-chat-events.ts";

/** The old models of specification 2 (docs.cohere.com/docs/models); the newer ones read more. */
const windows: readonly (readonly [RegExp, number])[] = [
  [/^command(?:-light)?(?:-nightly)?$/, 4_096],
  [/^command-a/, 256_000],
];
const usualWindow = 128_000;

export const cohereWindow = (model: string): number =>
  windows.find(([pattern]) => pattern.test(model))?.[1] ?? usualWindow;

/** Cohere's own API: unlike its OpenAI-compatible route, it has thinking and plans for calls. */
export class CohereLanguageModel implements LanguageModel {
  readonly provider = "cohere";
  readonly contextWindow: number;
  readonly answerTokens = null;
  readonly parameters: ModelParameters = { temperature: true, topP: true, effort: false };
  constructor(
    private readonly endpoint: CohereEndpoint,
    readonly model: string,
    private readonly facts: ModelFacts = {},
  ) {
    this.contextWindow = facts.contextWindow ?? cohereWindow(model);
  }

  /** Only the models named after it see. */
  supportsImages(): Promise<boolean> {
    return Promise.resolve(this.facts.vision ?? /vision/.test(this.model));
  }

  supportsTools(): Promise<boolean | null> {
    return Promise.resolve(this.facts.tools ?? (cohereWindow(this.model) > 4_096 ? null : false));
  }

  stream(call: LanguageModelCall): AsyncIterable<StreamPart> {
    const { vendor, baseUrl, limits } = this.endpoint;
    return runStream({
      vendor,
      signal: call.signal,
      paceMs: call.paceMs,
      url: `${baseUrl}/v2/chat`,
      limits,
      headers: cohereHeaders(this.endpoint),
      request: () => {
        requireNoFiles(vendor, call.messages);
        return buildChatRequest(call, this.model);
      },
      splitter: new TextEvents(),
      reader: new CohereReader(vendor),
      refuse: (reply, text) => refuseCohereReply(vendor, reply, text),
    });
  }
}
