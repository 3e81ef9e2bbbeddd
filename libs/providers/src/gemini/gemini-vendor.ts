import { notEmpty, oneOf } from "@carrel/contracts";
import { loadProviderFetch, type ProviderReply } from "@carrel/egress";
import { z } from "zod";
import {
  findCatalogueModel,
  listCatalogueModels,
  listOrKnown,
  type CatalogueModel,
} from "../catalogue/model-catalogue.ts";
import type { EmbeddingProtocol } from "../embedding/http-embedding-model.ts";
import { describeFault, retryAfter, type CalledVendor } from "../http/describe-fault.ts";
import { fetchModelList } from "../http/fetch-json.ts";
import { readFault } from "../http/read-fault.ts";
import { hostedLimits, type CallLimits } from "../http/run-request.ts";
import { runStream, readErrorBody } from "../http/run-stream.ts";
import { TextEvents } from "../http/split-stream.ts";
import { readOrigin } from "../setting-values.ts";
import type {
  LanguageModel,
  LanguageModelCall,
  ListedModel,
  ModelParameters,
} from "../spec/language-model.ts";
import type { ProviderError } from "../spec/provider-error.ts";
import type { StreamPart } from "../spec/stream-part.ts";
import {
  createEmbedder,
  embeddingKey,
  embeddingModel,
  outputDimensions,
} from "../vendors/embedding-vendor.ts";
import type { EndpointOptions, ModelFacts, Vendor } from "../vendors/vendor.ts";
import { GeminiReader, convertContents } from "./contents.ts";

interface GeminiEndpoint {
  vendor: CalledVendor;
  /** Without the version. */
  baseUrl: string;
  apiKey: string;
  limits: CallLimits;
}

const geminiHeaders = ({ apiKey }: GeminiEndpoint): Record<string, string> => ({
  "x-goog-api-key": apiKey,
});

/** Error bodies are `{error}`, a google.rpc.Status (ai.google.dev/api, v1beta, 2026). */
function refuseGemini(
  vendor: CalledVendor,
  status: number,
  text: string,
  headers: { get(name: string): string | null },
): ProviderError {
  const wait = retryAfter(headers);
  const { code, message = text, retryAfterMs } = readFault(readErrorBody(text)) ?? {};
  return describeFault(vendor, {
    statusCode: status,
    code,
    message,
    retryAfterMs: wait ?? retryAfterMs,
  });
}

const refuseGeminiReply = (
  vendor: CalledVendor,
  reply: ProviderReply,
  text: string,
): ProviderError => refuseGemini(vendor, reply.status, text, { get: (name) => reply.header(name) });

/** Thresholds of the safety filters (specification 2); the second to last is the default. */
const safetyThresholds = [
  "BLOCK_NONE",
  "BLOCK_ONLY_HIGH",
  "BLOCK_MEDIUM_AND_ABOVE",
  "BLOCK_LOW_AND_ABOVE",
];
const filters = [
  "HARM_CATEGORY_HARASSMENT",
  "HARM_CATEGORY_HATE_SPEECH",
  "HARM_CATEGORY_SEXUALLY_EXPLICIT",
  "HARM_CATEGORY_DANGEROUS_CONTENT",
];

/** Tokens, for models that predate thinking levels (ai.google.dev/gemini-api/docs/thinking). */
const thinkingBudgets = { low: 1_024, medium: 8_192, high: 24_576 };

function callingConfig({ toolChoice = "auto" }: LanguageModelCall): Record<string, unknown> {
  if (typeof toolChoice !== "string")
    return { mode: "ANY", allowedFunctionNames: [toolChoice.tool] };
  return { mode: { auto: "AUTO", none: "NONE", required: "ANY" }[toolChoice] };
}

function toolFields(call: LanguageModelCall): Record<string, unknown> {
  const { tools = [], toolChoice } = call;
  if (tools.length === 0) return {};
  return {
    tools: [
      {
        functionDeclarations: tools.map(({ name, description, inputSchema }) => ({
          name,
          description,
          parametersJsonSchema: inputSchema,
        })),
      },
    ],
    ...(toolChoice !== undefined && { toolConfig: { functionCallingConfig: callingConfig(call) } }),
  };
}

/** The body of a GenerateContentRequest (ai.google.dev/api/generate-content, v1beta, 2026). */
function buildContentRequest(
  call: LanguageModelCall,
  {
    safety,
    thinks,
    takesLevel,
    needsSignatures,
  }: { safety: string; thinks: boolean; takesLevel: boolean; needsSignatures: boolean },
): Record<string, unknown> {
  const { system, temperature, maxTokens, topP, effort, output } = call;
  return {
    ...(system && { systemInstruction: { parts: [{ text: system }] } }),
    contents: convertContents(call.messages, { needsSignatures }),
    ...toolFields(call),
    safetySettings: filters.map((category) => ({ category, threshold: safety })),
    generationConfig: {
      ...(temperature !== null && { temperature }),
      ...(maxTokens !== undefined && { maxOutputTokens: maxTokens }),
      ...(topP != null && { topP }),
      ...(thinks && {
        thinkingConfig: {
          includeThoughts: true,
          ...(effort != null &&
            (takesLevel ? { thinkingLevel: effort } : { thinkingBudget: thinkingBudgets[effort] })),
        },
      }),
      ...(output !== undefined && {
        responseMimeType: "application/json",
        responseJsonSchema: output.schema,
      }),
    },
  };
}

/** What every Gemini model since 2.0 can do, for ids the catalogue doesn't know yet. */
const newestModel: Pick<CatalogueModel, "contextWindow" | "vision" | "tools"> = {
  contextWindow: 1_048_576,
  vision: true,
  tools: true,
};

/** Gemini's own API: unlike its OpenAI-compatible route, it has thoughts and safety settings. */
class GeminiLanguageModel implements LanguageModel {
  readonly provider = "gemini";
  readonly model: string;
  readonly contextWindow: number;
  readonly answerTokens = null;
  private readonly known: typeof newestModel;
  constructor(
    private readonly endpoint: GeminiEndpoint,
    model: string,
    private readonly safety: string,
    private readonly facts: ModelFacts = {},
  ) {
    this.model = model.replace(/^models\//, "");
    this.known = { ...(findCatalogueModel("gemini", this.model) ?? newestModel), ...facts };
    this.contextWindow = this.known.contextWindow;
  }

  get parameters(): ModelParameters {
    return { temperature: true, topP: true, effort: this.thinks };
  }

  /** Older models reject the setting. */
  private get thinks(): boolean {
    return this.facts.reasoning ?? /^gemini-(?:2\.5|[3-9])/.test(this.model);
  }

  supportsImages(): Promise<boolean> {
    return Promise.resolve(this.known.vision);
  }

  supportsTools(): Promise<boolean> {
    return Promise.resolve(this.known.tools);
  }

  stream(call: LanguageModelCall): AsyncIterable<StreamPart> {
    const { vendor, baseUrl, limits } = this.endpoint;
    return runStream({
      vendor,
      signal: call.signal,
      paceMs: call.paceMs,
      url: `${baseUrl}/v1beta/models/${encodeURIComponent(this.model)}:streamGenerateContent?alt=sse`,
      limits,
      headers: geminiHeaders(this.endpoint),
      request: () => {
        const isSinceThree = /^gemini-[3-9]/.test(this.model);
        return buildContentRequest(call, {
          safety: this.safety,
          thinks: this.thinks,
          takesLevel: isSinceThree,
          needsSignatures: isSinceThree,
        });
      },
      splitter: new TextEvents(),
      reader: new GeminiReader(vendor),
      refuse: (reply, text) => refuseGeminiReply(vendor, reply, text),
    });
  }
}

/** BatchEmbedContentsResponse (ai.google.dev/api/embeddings, v1beta, 2026). */
const embedReply = z.object({
  embeddings: z.array(z.object({ values: z.unknown() })),
  usageMetadata: z.object({ promptTokenCount: z.number().optional() }).nullish().catch(undefined),
});

const taskTypes = { passage: "RETRIEVAL_DOCUMENT", query: "RETRIEVAL_QUERY" };
/** Later models take the task as text before the input. */
const takesTaskType = (model: string): boolean => !/gemini-embedding-[2-9]/.test(model);
const taskWords = { passage: "title: none | text: ", query: "task: search result | query: " };

const geminiEmbeddings: EmbeddingProtocol = {
  path: (model) => `/v1beta/models/${encodeURIComponent(model)}:batchEmbedContents`,
  headers: (apiKey = ""): Record<string, string> => ({ "x-goog-api-key": apiKey }),
  body: ({ model, texts, kind, dimensions }) => ({
    requests: texts.map((text) => ({
      model: `models/${model}`,
      content: { parts: [{ text: takesTaskType(model) ? text : taskWords[kind] + text }] },
      ...(takesTaskType(model) && { taskType: taskTypes[kind] }),
      ...(dimensions !== undefined && { outputDimensionality: dimensions }),
    })),
  }),
  read(reply) {
    const read = embedReply.safeParse(reply).data;
    return read === undefined
      ? null
      : {
          vectors: read.embeddings.map(({ values }) => values),
          tokens: read.usageMetadata?.promptTokenCount ?? null,
        };
  },
  refuse: refuseGeminiReply,
};

/** ListModelsResponse (ai.google.dev/api/models, 2026). */
const modelList = z.object({
  models: z.array(
    z.object({
      name: z.string(),
      displayName: z.string().optional(),
      inputTokenLimit: z.number().optional(),
      supportedGenerationMethods: z.array(z.string()).optional(),
    }),
  ),
});
type Listed = z.infer<typeof modelList>["models"][number];

const canChat = ({ name, supportedGenerationMethods = [] }: Listed): boolean =>
  supportedGenerationMethods.includes("generateContent") &&
  !/embedding|image|imagen|tts|audio|live|veo|aqa/.test(name);

const canEmbed = ({ supportedGenerationMethods = [] }: Listed): boolean =>
  supportedGenerationMethods.includes("embedContent");

/** Shown without a key, and while Gemini can't be reached. */
const knownGeminiModels = (): ListedModel[] =>
  listCatalogueModels("gemini").map(([id, { contextWindow }]) => ({
    id,
    name: id,
    organization: "Google",
    contextWindow,
    experimental: id.includes("preview"),
  }));

/**
 * wire-contract.md 11.1: the models of the API's stable version, then those only in its beta, which
 * are experimental.
 */
const listGeminiModels = (endpoint: GeminiEndpoint, signal: AbortSignal) =>
  listOrKnown(listModels(endpoint, canChat, signal), knownGeminiModels);

const listGeminiEmbedders = (endpoint: GeminiEndpoint, signal: AbortSignal) =>
  listModels(endpoint, canEmbed, signal);

async function listModels(
  endpoint: GeminiEndpoint,
  keep: (model: Listed) => boolean,
  signal: AbortSignal,
): Promise<ListedModel[]> {
  const list = (version: string) =>
    fetchModelList({
      vendor: endpoint.vendor,
      url: `${endpoint.baseUrl}/${version}/models?pageSize=1000`,
      limits: endpoint.limits,
      headers: geminiHeaders(endpoint),
      signal,
      schema: modelList,
      refuse: (status, text, headers) => refuseGemini(endpoint.vendor, status, text, headers),
    });
  const [stable, beta] = await Promise.all([list("v1"), list("v1beta")]);
  const known = new Set(stable.models.map(({ name }) => name));
  return [...stable.models, ...beta.models.filter(({ name }) => !known.has(name))]
    .filter(keep)
    .map((model) => ({
      id: model.name.replace(/^models\//, ""),
      name: model.displayName ?? model.name,
      organization: "Google",
      ...(model.inputTokenLimit !== undefined && { contextWindow: model.inputTokenLimit }),
      experimental: !known.has(model.name),
    }));
}

const baseUrl = "https://generativelanguage.googleapis.com";

function endpoint(
  apiKey: string,
  { baseUrl: address = baseUrl, limits }: EndpointOptions,
): GeminiEndpoint {
  return {
    vendor: { name: "Gemini", origin: readOrigin(address), secrets: [apiKey] },
    baseUrl: address,
    apiKey,
    limits: { ...hostedLimits, ...limits },
  };
}

const identity = { id: "gemini", name: "Google Gemini", group: "hosted" } as const;

export const gemini: Vendor = {
  ...identity,
  phrase: "Gemini",
  dataPolicyUrl: "https://ai.google.dev/gemini-api/terms",
  keyUrl: "https://aistudio.google.com/apikey",
  language: {
    fields: [
      { key: "GeminiLLMApiKey", label: "key", kind: "secret", required: true },
      {
        key: "GeminiLLMModelPref",
        label: "model",
        kind: "model",
        required: true,
        default: "gemini-2.0-flash-lite",
        check: notEmpty,
      },
      {
        key: "GeminiSafetySetting",
        label: "safety",
        kind: "select",
        required: false,
        default: "BLOCK_MEDIUM_AND_ABOVE",
        options: safetyThresholds,
        advanced: true,
        check: oneOf(safetyThresholds, "setting.safety-setting-unknown"),
      },
    ],
    supports: { images: true, files: true, tools: true, output: true },
    create: (values, options) =>
      new GeminiLanguageModel(
        endpoint(values.get("GeminiLLMApiKey"), options),
        options.model?.trim() || values.get("GeminiLLMModelPref"),
        values.get("GeminiSafetySetting"),
        options.facts,
      ),
    listModels: (values, options, signal) => {
      const key = values.find("GeminiLLMApiKey");
      return key === undefined
        ? Promise.resolve(knownGeminiModels())
        : listGeminiModels(endpoint(key, options), signal);
    },
    warm: loadProviderFetch,
  },
  embedding: createEmbedder(
    { ...identity, name: "Gemini" },
    {
      baseUrl,
      protocol: geminiEmbeddings,
      fields: [
        embeddingKey("GeminiEmbeddingApiKey"),
        embeddingModel("gemini-embedding-001"),
        outputDimensions,
      ],
      longest: 2_048,
      batch: 4,
      dimensions: { "gemini-embedding-001": 3072 },
      list: ({ apiKey = "", ...endpoint }, signal) =>
        listGeminiEmbedders({ ...endpoint, apiKey }, signal),
    },
  ),
};
