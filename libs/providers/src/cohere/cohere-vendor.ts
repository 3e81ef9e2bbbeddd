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
import { readOrigin } from "../setting-values.ts";
import type {
  LanguageModel,
  LanguageModelCall,
  ListedModel,
  ModelParameters,
} from "../spec/language-model.ts";
import { requireNoFiles } from "../spec/message.ts";
import type { ProviderError } from "../spec/provider-error.ts";
import type { StreamPart } from "../spec/stream-part.ts";
import {
  createEmbedder,
  embeddingKey,
  embeddingModel,
  outputDimensions,
} from "../vendors/embedding-vendor.ts";
import type { EndpointOptions, ModelFacts, Vendor } from "../vendors/vendor.ts";
import { buildChatRequest } from "./chat-request.ts";
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
