import { positiveNumber } from "@carrel/contracts";
import { loadProviderFetch } from "@carrel/egress";
import { z, type ZodType } from "zod";
import { findModelOfAnyVendor } from "../catalogue/model-catalogue.ts";
import { localLimits, sharedFetch } from "../http/run-request.ts";
import { readOrigin } from "../setting-values.ts";
import type { ListedModel } from "../spec/language-model.ts";
import {
  audioAddress,
  audioModel,
  audioVoice,
  createSpeech,
  createTranscription,
} from "../vendors/audio-vendor.ts";
import { keyField } from "../vendors/chat-vendor.ts";
import {
  createEmbedder,
  embeddingAddress,
  embeddingBatch,
  embeddingModel,
  embeddingPrefix,
  maxChunkLength,
  optionalEmbeddingKey,
  outputDimensions,
} from "../vendors/embedding-vendor.ts";
import type { EndpointOptions, Vendor } from "../vendors/vendor.ts";
import { ChatLanguageModel } from "./chat-language-model.ts";
import {
  compareNaturally,
  describeModel,
  fetchEntries,
  listVendorModels,
  readWindow,
  type ModelEntry,
} from "./model-listing.ts";
import { openAiHeaders, type OpenAiEndpoint } from "./openai-client.ts";

/** Timeout for asking the server; the answer waits for it once. */
const timeoutMs = 3_000;

const size = z.coerce.number().positive();

/** The context windows in tokens by model; `any` for servers that run one model. */
interface Windows {
  byModel: ReadonlyMap<string, number>;
  any?: number | undefined;
}

const one = (any: number | undefined): Windows => ({ byModel: new Map(), any });

/** How one kind of server reports it: where, below the address without /v1, and in which fields. */
interface Probe<T> {
  path: string;
  schema: ZodType<T>;
  read(reply: T): Windows;
}
const probe = <T>(path: string, schema: ZodType<T>, read: (reply: T) => Windows) =>
  ({ path, schema, read }) as Probe<unknown>;

const probes: readonly Probe<unknown>[] = [
  // llama.cpp: the window of one slot, which is what an answer gets (tools/server/README.md, 2026).
  probe(
    "/props",
    z.object({ default_generation_settings: z.object({ n_ctx: size }) }),
    ({ default_generation_settings: settings }) => one(settings.n_ctx),
  ),
  // LM Studio: for a loaded model, what it was loaded with (lmstudio.ai/docs/api/rest-api, 2026).
  probe(
    "/api/v0/models",
    z.object({
      data: z.array(
        z.object({
          id: z.string(),
          loaded_context_length: size.optional(),
          max_context_length: size.optional(),
        }),
      ),
    }),
    ({ data }) => ({
      byModel: new Map(
        data.flatMap(({ id, loaded_context_length: loaded, max_context_length: max = loaded }) =>
          max === undefined ? [] : [[id, loaded ?? max] as const],
        ),
      ),
    }),
  ),
  // KoboldCpp (lite.koboldai.net/koboldcpp_api, 2026).
  probe("/api/extra/true_max_context_length", z.object({ value: size }), ({ value }) => one(value)),
  // Text Generation Inference: prompt and answer together (huggingface.co/docs, 2026).
  probe(
    "/info",
    z.object({ max_total_tokens: size.optional(), max_input_tokens: size.optional() }),
    ({ max_total_tokens: total, max_input_tokens: input }) => one(total ?? input),
  ),
  // TabbyAPI (theroyallab.github.io/tabbyAPI, 2026).
  probe("/v1/model", z.object({ parameters: z.object({ max_seq_len: size }) }), ({ parameters }) =>
    one(parameters.max_seq_len),
  ),
  // LiteLLM; its max_tokens limits the answer (docs.litellm.ai/docs/proxy/model_management, 2026).
  probe(
    "/model/info",
    z.object({
      data: z.array(
        z.object({
          model_name: z.string(),
          model_info: z.object({ max_input_tokens: size.nullish().catch(null) }),
        }),
      ),
    }),
    ({ data }) => ({
      byModel: new Map(
        data.flatMap(({ model_name: name, model_info: { max_input_tokens: window } }) =>
          typeof window === "number" ? [[name, window] as const] : [],
        ),
      ),
    }),
  ),
];

/** Ollama: what a model was loaded with (docs.ollama.com/api/ps, 2026). */
const ollamaRunning = z.object({
  models: z.array(z.object({ name: z.string(), context_length: size.optional() })),
});
/** Ollama: a model's maximum, and what its file asks for (docs.ollama.com/api/show, 2026). */
const ollamaShown = z.object({
  parameters: z.string().optional(),
  model_info: z.record(z.string(), z.unknown()),
});

async function ask<T>(
  endpoint: OpenAiEndpoint,
  path: string,
  schema: ZodType<T>,
  { signal, body }: { signal: AbortSignal; body?: object },
): Promise<T | null> {
  try {
    const { origin } = new URL(endpoint.baseUrl);
    const reply = await sharedFetch(origin, endpoint.limits)(`${rootOf(endpoint)}${path}`, {
      headers: {
        accept: "application/json",
        ...(body !== undefined && { "content-type": "application/json" }),
        ...openAiHeaders(endpoint),
      },
      ...(body !== undefined && { method: "POST", body: JSON.stringify(body) }),
      signal,
    });
    const text = await reply.text();
    return reply.ok ? (schema.safeParse(JSON.parse(text)).data ?? null) : null;
  } catch {
    // Most servers know only one of the routes; the answer will show whether they work at all.
    return null;
  }
}

/** Servers put their other routes next to /v1. */
const rootOf = ({ baseUrl }: OpenAiEndpoint): string => baseUrl.replace(/\/v1$/, "");

async function askOllama(
  endpoint: OpenAiEndpoint,
  model: string,
  signal: AbortSignal,
): Promise<number | undefined> {
  const running = await ask(endpoint, "/api/ps", ollamaRunning, { signal });
  if (running === null) return undefined;
  const loaded = running.models.find(({ name }) => name === model || name === `${model}:latest`);
  if (loaded?.context_length !== undefined) return loaded.context_length;
  const shown = await ask(endpoint, "/api/show", ollamaShown, { signal, body: { model } });
  if (shown === null) return undefined;
  const chosen = Number(/^num_ctx\s+(\d+)/m.exec(shown.parameters ?? "")?.[1]);
  // Its default depends on the memory of the graphics card (docs.ollama.com/context-length, 2026).
  if (!(chosen > 0)) return undefined;
  const [, most] =
    Object.entries(shown.model_info).find(([name]) => name.endsWith(".context_length")) ?? [];
  return typeof most === "number" ? Math.min(chosen, most) : chosen;
}

/**
 * Asks a server of an unknown kind for the context windows of its models, in every way that such
 * servers have. Never throws.
 *
 * @param model the one that matters, for servers that are asked about each
 * @param entries the models as the server lists them
 */
async function findServerWindows(
  endpoint: OpenAiEndpoint,
  model: string | undefined,
  entries: readonly ModelEntry[],
  signal: AbortSignal,
): Promise<(id: string) => number | undefined> {
  const limited = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  const listed = new Map(
    entries.flatMap((entry) => {
      const window = readWindow(entry);
      return window === undefined ? [] : [[entry.id, window] as const];
    }),
  );
  // vLLM, SGLang and most vendors report it in their list.
  if (model === undefined ? listed.size === entries.length && listed.size > 0 : listed.has(model))
    return (id) => listed.get(id);
  const [ollama, ...found] = await Promise.all([
    model === undefined ? undefined : askOllama(endpoint, model, limited),
    ...probes.map(async ({ path, schema, read }): Promise<Windows> => {
      const reply = await ask(endpoint, path, schema, { signal: limited });
      return reply === null ? one(undefined) : read(reply);
    }),
  ]);
  const any = found.find((windows) => windows.any !== undefined)?.any;
  // What llama.cpp's model was trained with, if the server doesn't say what it runs with.
  const trained = entries.length === 1 ? readTrainedWindow(entries[0]!) : undefined;
  return (id) =>
    (id === model ? ollama : undefined) ??
    found.map(({ byModel }) => byModel.get(id)).find((window) => window !== undefined) ??
    any ??
    listed.get(id) ??
    trained;
}

function readTrainedWindow({ meta }: ModelEntry): number | undefined {
  const { n_ctx: own, n_ctx_train: trained } = (meta ?? {}) as Record<string, unknown>;
  return [own, trained].find((value): value is number => typeof value === "number" && value > 0);
}

const id = "generic-openai";
const identity = { id, name: "OpenAI compatible", group: "local" } as const;
const placeholder = "http://127.0.0.1:8080/v1";

/** Any server that speaks OpenAI's protocol; the base path is used as given. */
function endpoint(
  baseUrl: string,
  apiKey: string | undefined,
  { limits }: EndpointOptions,
): OpenAiEndpoint {
  const origin = readOrigin(baseUrl);
  return {
    vendor: { name: new URL(baseUrl).host, origin, secrets: apiKey ? [apiKey] : [] },
    baseUrl: baseUrl.replace(/\/+$/, ""),
    apiKey,
    limits: { ...localLimits, ...limits },
  };
}

/** Tokens, for a model whose window neither the server nor the catalogue knows. */
const unknownWindow = 8_192;

/** Some servers have no list of models but report the window elsewhere. */
async function askWindow(
  server: OpenAiEndpoint,
  model: string,
  signal: AbortSignal,
): Promise<number | undefined> {
  const limited = AbortSignal.any([signal, AbortSignal.timeout(listMs)]);
  const entries = await fetchEntries(server, {}, limited).catch((): ModelEntry[] => []);
  return (await findServerWindows(server, model, entries, signal))(model);
}
const listMs = 3_000;

/** The models, with the limits that an empty field stands for. */
async function listWithLimits(
  server: OpenAiEndpoint,
  model: string | undefined,
  signal: AbortSignal,
): Promise<ListedModel[]> {
  const entries = await fetchEntries(server, {}, signal);
  const windowOf = await findServerWindows(server, model, entries, signal);
  return entries
    .map((entry): ListedModel => {
      const listed = describeModel(entry, server.vendor.name, {});
      const own = windowOf(entry.id);
      const window = own ?? listed.contextWindow;
      if (window === undefined) return listed;
      const windowSource = own === undefined ? "catalogue" : "server";
      return { ...listed, contextWindow: window, windowSource };
    })
    .sort((a, b) => compareNaturally(a.id, b.id));
}

export const genericOpenAi: Vendor = {
  ...identity,
  phrase: "the OpenAI-compatible server",
  // The server behind the address may be a vendor's.
  isRelay: true,
  triedWith: "LiteLLM 1.108.7",
  language: {
    fields: [
      { key: "GenericOpenAiBasePath", label: "address", kind: "url", required: true, placeholder },
      { key: "GenericOpenAiKey", label: "key", kind: "secret", required: false },
      { key: "GenericOpenAiModelPref", label: "model", kind: "model", required: true },
      {
        key: "GenericOpenAiTokenLimit",
        label: "contextWindow",
        kind: "number",
        required: false,
        empty: { uses: "server", otherwise: unknownWindow },
        clientDefault: 4096,
        min: 1,
        check: positiveNumber,
      },
      {
        key: "GenericOpenAiMaxTokens",
        label: "longestAnswer",
        kind: "number",
        required: false,
        empty: { uses: "server" },
        clientDefault: 1024,
        min: 1,
        check: positiveNumber,
      },
    ],
    supports: { images: true, files: true, tools: true, output: true },
    create(values, options) {
      const server = endpoint(
        values.get("GenericOpenAiBasePath"),
        values.find("GenericOpenAiKey"),
        options,
      );
      const model = options.model?.trim() || values.get("GenericOpenAiModelPref");
      const set = options.facts?.contextWindow ?? values.findNumber("GenericOpenAiTokenLimit");
      return new ChatLanguageModel({
        ...server,
        provider: id,
        model,
        contextWindow: set ?? findModelOfAnyVendor(model)?.contextWindow ?? unknownWindow,
        findWindow: set === undefined ? (signal) => askWindow(server, model, signal) : undefined,
        maxTokens: values.findNumber("GenericOpenAiMaxTokens"),
        images: options.facts?.vision ?? null,
        tools: options.facts?.tools ?? null,
        reasoning: options.facts?.reasoning ?? findModelOfAnyVendor(model)?.reasoning,
      });
    },
    listModels(values, options, signal) {
      const server = endpoint(
        values.get("GenericOpenAiBasePath"),
        values.find("GenericOpenAiKey"),
        options,
      );
      if (options.asksLimits !== true) return listVendorModels(server, {}, signal);
      return listWithLimits(server, values.find("GenericOpenAiModelPref"), signal);
    },
    warm: loadProviderFetch,
  },
  embedding: createEmbedder(identity, {
    fields: [
      embeddingAddress(placeholder),
      embeddingModel(),
      maxChunkLength,
      optionalEmbeddingKey("GenericOpenAiEmbeddingApiKey"),
      embeddingBatch("GenericOpenAiEmbeddingMaxConcurrentChunks", "concurrent", 500),
      embeddingPrefix("passagePrefix", "GenericOpenAiEmbeddingPassagePrefix"),
      embeddingPrefix("queryPrefix", "GenericOpenAiEmbeddingQueryPrefix"),
      outputDimensions,
    ],
    list: {},
    isAnyServer: true,
  }),
  speech: createSpeech(identity, {
    fields: [
      audioAddress("TTSOpenAICompatibleEndpoint", placeholder),
      keyField("TTSOpenAICompatibleKey", { required: false }),
      audioModel("TTSOpenAICompatibleModel", "tts-1", { kind: "text", required: false }),
      audioVoice("TTSOpenAICompatibleVoiceModel", "alloy", { kind: "text" }),
    ],
  }),
  dictation: createTranscription(identity, {
    fields: [
      audioAddress("STTOpenAICompatibleEndpoint", placeholder),
      keyField("STTOpenAICompatibleKey", { required: false }),
      audioModel("STTOpenAICompatibleModel"),
    ],
    segments: false,
    list: {},
  }),
  transcription: createTranscription(identity, {
    fields: [
      audioAddress("WhisperGenericOpenAiBaseUrl", placeholder),
      keyField("WhisperGenericOpenAiApiKey", { required: false }),
      audioModel("WhisperGenericOpenAiModel"),
    ],
    segments: true,
    list: {},
  }),
};
