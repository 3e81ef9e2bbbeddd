import { loadProviderFetch, type ProviderReply } from "@carrel/egress";
import { z } from "zod";
import { listOrKnown } from "../catalogue/model-catalogue.ts";
import { bearerHeaders, type EmbeddingProtocol } from "../embedding/http-embedding-model.ts";
import { describeFault, retryAfter, type CalledVendor } from "../http/describe-fault.ts";
import { fetchModelList } from "../http/fetch-json.ts";
import { readFault } from "../http/read-fault.ts";
import { hostedLimits, type CallLimits } from "../http/run-request.ts";
import { readErrorBody, runStream } from "../http/run-stream.ts";
import { TextEvents } from "../http/split-stream.ts";
import { convertUserContent } from "../openai/chat-request.ts";
import { readOrigin } from "../setting-values.ts";
import type {
  LanguageModel,
  LanguageModelCall,
  ListedModel,
  ModelParameters,
  ToolDefinition,
} from "../spec/language-model.ts";
import {
  requireNoFiles,
  contentParts,
  type AssistantPart,
  type ModelMessage,
  type UserPart,
} from "../spec/message.ts";
import type { ProviderError } from "../spec/provider-error.ts";
import type { StreamPart } from "../spec/stream-part.ts";
import {
  createEmbedder,
  embeddingKey,
  embeddingModel,
  outputDimensions,
} from "../vendors/embedding-vendor.ts";
import type { EndpointOptions, ModelFacts, Vendor } from "../vendors/vendor.ts";
import { CohereReader } from "./read-chat-events.ts";

interface CohereEndpoint {
  vendor: CalledVendor;
  /** Without the version. */
  baseUrl: string;
  apiKey: string | undefined;
  limits: CallLimits;
}

const cohereHeaders = ({ apiKey }: CohereEndpoint): Record<string, string> =>
  apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` };

/** Error bodies are `{id, message}` (docs.cohere.com/reference/errors, v2, 2026). */
function refuseCohere(
  vendor: CalledVendor,
  status: number,
  text: string,
  headers: { get(name: string): string | null },
): ProviderError {
  return describeFault(vendor, {
    // 498 is Cohere's own status for an invalid token.
    statusCode: status === 498 ? 401 : status,
    message: readFault(readErrorBody(text))?.message ?? text,
    ...retryAfterOf(headers),
  });
}

function retryAfterOf(headers: { get(name: string): string | null }): { retryAfterMs?: number } {
  const wait = retryAfter(headers);
  return wait === undefined ? {} : { retryAfterMs: wait };
}

const refuseCohereReply = (
  vendor: CalledVendor,
  reply: ProviderReply,
  text: string,
): ProviderError => refuseCohere(vendor, reply.status, text, { get: (name) => reply.header(name) });

/**
 * The old models of specification 2 (docs.cohere.com/docs/models); newer ones have larger windows.
 */
const windows: readonly (readonly [RegExp, number])[] = [
  [/^command(?:-light)?(?:-nightly)?$/, 4_096],
  [/^command-a/, 256_000],
];
const usualWindow = 128_000;

const cohereWindow = (model: string): number =>
  windows.find(([pattern]) => pattern.test(model))?.[1] ?? usualWindow;

/** Cohere's own API: unlike its OpenAI-compatible route, it has thinking and tool plans. */
class CohereLanguageModel implements LanguageModel {
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

  /** Only the models with `vision` in their names accept images. */
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

/** EmbedByTypeResponse (docs.cohere.com/reference/embed, v2, 2026). */
const embedReply = z.object({
  embeddings: z.object({ float: z.array(z.unknown()) }),
  meta: z
    .object({ billed_units: z.object({ input_tokens: z.number().optional() }).optional() })
    .nullish()
    .catch(undefined),
});

const cohereEmbeddings: EmbeddingProtocol = {
  path: () => "/v2/embed",
  headers: bearerHeaders,
  body: ({ model, texts, kind, dimensions }) => ({
    model,
    texts,
    input_type: kind === "query" ? "search_query" : "search_document",
    embedding_types: ["float"],
    truncate: kind === "query" ? "END" : "NONE",
    ...(dimensions !== undefined && { output_dimension: dimensions }),
  }),
  read(reply) {
    const read = embedReply.safeParse(reply).data;
    return read === undefined
      ? null
      : {
          vectors: read.embeddings.float,
          tokens: read.meta?.billed_units?.input_tokens ?? null,
        };
  },
  refuse: refuseCohereReply,
};

/** Shown while there is no key or no connection (specification 2, section 9). */
const fallbackModels = [
  "command-r",
  "command-r-plus",
  "command",
  "command-light",
  "command-nightly",
  "command-light-nightly",
];

/** ListModelsResponse (docs.cohere.com/reference/list-models, v1, 2026). */
const modelList = z.object({
  models: z.array(z.object({ name: z.string(), context_length: z.number().optional() })),
});

const fetchModels = (endpoint: CohereEndpoint, purpose: "chat" | "embed", signal: AbortSignal) =>
  fetchModelList({
    vendor: endpoint.vendor,
    url: `${endpoint.baseUrl}/v1/models?page_size=1000&endpoint=${purpose}`,
    limits: endpoint.limits,
    headers: cohereHeaders(endpoint),
    signal,
    schema: modelList,
    refuse: (status, text, headers) => refuseCohere(endpoint.vendor, status, text, headers),
  });

/** wire-contract.md 11.1: the models that chat, by id and name. */
async function listCohereModels(
  endpoint: CohereEndpoint,
  signal: AbortSignal,
): Promise<ListedModel[]> {
  const known = (): ListedModel[] =>
    fallbackModels.map((id) => describeModel(id, cohereWindow(id)));
  return endpoint.apiKey === undefined ? known() : listOrKnown(listOwn(endpoint, signal), known);
}

async function listOwn(endpoint: CohereEndpoint, signal: AbortSignal): Promise<ListedModel[]> {
  const { models } = await fetchModels(endpoint, "chat", signal);
  return models.map((model) =>
    describeModel(model.name, model.context_length ?? cohereWindow(model.name)),
  );
}

/** wire-contract.md 2.2: the models that embed. */
async function listCohereEmbedders(
  endpoint: CohereEndpoint,
  signal: AbortSignal,
): Promise<ListedModel[]> {
  const { models } = await fetchModels(endpoint, "embed", signal);
  return models.map((model) => describeModel(model.name, model.context_length));
}

const describeModel = (id: string, contextWindow: number | undefined): ListedModel => ({
  id,
  name: id,
  organization: "Cohere",
  ...(contextWindow !== undefined && { contextWindow }),
});

function endpoint(
  apiKey: string | undefined,
  { baseUrl = "https://api.cohere.com", limits }: EndpointOptions,
): CohereEndpoint {
  return {
    vendor: {
      name: "Cohere",
      origin: readOrigin(baseUrl),
      secrets: apiKey === undefined ? [] : [apiKey],
    },
    baseUrl,
    apiKey,
    limits: { ...hostedLimits, ...limits },
  };
}

const identity = { id: "cohere", name: "Cohere", group: "hosted" } as const;

export const cohere: Vendor = {
  ...identity,
  dataPolicyUrl: "https://cohere.com/privacy",
  keyUrl: "https://dashboard.cohere.com/api-keys",
  language: {
    fields: [
      { key: "CohereApiKey", label: "key", kind: "secret", required: true },
      {
        key: "CohereModelPref",
        label: "model",
        kind: "model",
        required: true,
        default: "command-r",
      },
    ],
    supports: { images: true, files: false, tools: true, output: true },
    create: (values, options) =>
      new CohereLanguageModel(
        endpoint(values.get("CohereApiKey"), options),
        options.model?.trim() || values.get("CohereModelPref"),
        options.facts,
      ),
    listModels: (values, options, signal) =>
      listCohereModels(endpoint(values.find("CohereApiKey"), options), signal),
    warm: loadProviderFetch,
  },
  embedding: createEmbedder(identity, {
    baseUrl: "https://api.cohere.com",
    protocol: cohereEmbeddings,
    fields: [embeddingKey("CohereApiKey"), embeddingModel("embed-english-v3.0"), outputDimensions],
    longest: 1_945,
    batch: 96,
    dimensions: {
      "embed-english-v3.0": 1024,
      "embed-multilingual-v3.0": 1024,
      "embed-english-light-v3.0": 384,
      "embed-multilingual-light-v3.0": 384,
    },
    list: listCohereEmbedders,
  }),
};

/** ChatMessageV2 (docs.cohere.com/reference/chat, v2, 2026). */
type CohereMessage =
  | { role: "system"; content: string }
  | { role: "user"; content: string | CohereContent[] }
  | {
      role: "assistant";
      content?: string;
      tool_plan?: string;
      tool_calls?: {
        id: string;
        type: "function";
        function: { name: string; arguments: string };
      }[];
    }
  | { role: "tool"; tool_call_id: string; content: string };
type CohereContent =
  | { type: "text"; text: string }
  | { type: "image_url"; image_url: { url: string } };

function convertUserPart(part: UserPart): CohereContent {
  switch (part.type) {
    case "text":
      return part;
    case "image":
      return { type: "image_url", image_url: { url: `data:${part.mime};base64,${part.base64}` } };
    case "file":
      // Unreachable: `requireNoFiles` has refused the call.
      return { type: "text", text: part.filename };
  }
}

const joinText = (parts: readonly AssistantPart[], type: "text" | "reasoning"): string =>
  parts.map((part) => (part.type === type ? part.text : "")).join("");

/** Text before calls is their plan; Cohere has no other place for reasoning. */
function convertAssistant(content: string | AssistantPart[]): CohereMessage {
  const parts = contentParts(content);
  const text = joinText(parts, "text");
  const calls = parts.filter((part) => part.type === "tool-call");
  if (calls.length === 0) return { role: "assistant", content: text };
  const plan = joinText(parts, "reasoning");
  return {
    role: "assistant",
    ...(text !== "" && { content: text }),
    ...(plan !== "" && { tool_plan: plan }),
    tool_calls: calls.map(({ id, name, input }) => ({
      id,
      type: "function",
      function: { name, arguments: JSON.stringify(input) },
    })),
  };
}

/** Converts to messages of the v2 API, where every tool result is one message. */
function convertMessage(message: ModelMessage): CohereMessage[] {
  switch (message.role) {
    case "user":
      return [{ role: "user", content: convertUserContent(message.content, convertUserPart) }];
    case "assistant":
      return [convertAssistant(message.content)];
    case "tool":
      return message.content.map(({ id, output }) => ({
        role: "tool",
        tool_call_id: id,
        content: output,
      }));
  }
}

/** The only way to force a named tool is to offer no other. */
function toolFields({ tools = [], toolChoice = "auto" }: LanguageModelCall): object {
  if (tools.length === 0) return {};
  const offered =
    typeof toolChoice === "string" ? tools : tools.filter(({ name }) => name === toolChoice.tool);
  const choice = toolChoice === "none" ? "NONE" : toolChoice === "auto" ? undefined : "REQUIRED";
  return {
    tools: offered.map(({ name, description, inputSchema }: ToolDefinition) => ({
      type: "function",
      function: { name, description, parameters: inputSchema },
    })),
    ...(choice !== undefined && { tool_choice: choice }),
  };
}

/** The body of a streamed chat (docs.cohere.com/reference/chat-stream, v2, 2026). */
function buildChatRequest(call: LanguageModelCall, model: string): object {
  const { system, temperature, maxTokens, topP, output } = call;
  return {
    model,
    stream: true,
    messages: [
      ...(system ? [{ role: "system", content: system }] : []),
      ...call.messages.flatMap(convertMessage),
    ],
    ...(temperature !== null && { temperature }),
    // The vendor's name and limits.
    ...(topP != null && { p: Math.min(Math.max(topP, 0.01), 0.99) }),
    ...(maxTokens !== undefined && { max_tokens: maxTokens }),
    ...toolFields(call),
    ...(output !== undefined && {
      response_format: { type: "json_object", json_schema: output.schema },
    }),
  };
}
