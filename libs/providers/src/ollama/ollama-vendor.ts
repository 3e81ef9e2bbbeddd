import {
  all,
  anything,
  notEmpty,
  optional,
  webAddressWithoutSlash,
  wholeNumber,
  type SettingField,
} from "@carrel/contracts";
import { loadProviderFetch } from "@carrel/egress";
import { z } from "zod";
import { bearerHeaders, type EmbeddingProtocol } from "../embedding/http-embedding-model.ts";
import { describeTransportFault } from "../http/describe-transport-fault.ts";
import { localLimits, withOneRetry } from "../http/run-request.ts";
import { readOrigin, type SettingValues } from "../setting-values.ts";
import type { ListedModel } from "../spec/language-model.ts";
import {
  createEmbedder,
  embeddingAddress,
  embeddingBatch,
  embeddingModel,
  maxChunkLength,
} from "../vendors/embedding-vendor.ts";
import { usualAddresses } from "../vendors/local-servers.ts";
import type { EndpointOptions, Vendor } from "../vendors/vendor.ts";
import {
  OllamaLanguageModel,
  createOllamaClient,
  refuseOllama,
  type OllamaEndpoint,
} from "./ollama-language-model.ts";

/** EmbedResponse (docs.ollama.com/api/embed, 2026). */
const embedReply = z.object({
  embeddings: z.array(z.unknown()),
  prompt_eval_count: z.number().nullish().catch(undefined),
});

const ollamaEmbeddings: EmbeddingProtocol = {
  path: () => "/api/embed",
  headers: bearerHeaders,
  body: ({ model, texts, kind }) => ({ model, input: texts, truncate: kind === "query" }),
  read(reply) {
    const read = embedReply.safeParse(reply).data;
    return read === undefined
      ? null
      : { vectors: read.embeddings, tokens: read.prompt_eval_count ?? null };
  },
  refuse: refuseOllama,
};

/** wire-contract.md 11.1: ids only. */
async function listOllamaModels(
  endpoint: OllamaEndpoint,
  signal: AbortSignal,
): Promise<ListedModel[]> {
  const describe = (fault: unknown, started: boolean) =>
    describeTransportFault(endpoint.vendor, fault, started);
  const { models } = await withOneRetry(
    signal,
    () => createOllamaClient(endpoint, signal).list(),
    describe,
  );
  return models.map(({ name }) => ({ id: name }));
}

const placeholder = "http://127.0.0.1:11434";
const authToken: SettingField = {
  key: "OllamaLLMAuthToken",
  label: "accessToken",
  kind: "secret",
  required: false,
  advanced: true,
};

function endpoint(values: SettingValues, { limits }: EndpointOptions): OllamaEndpoint {
  const baseUrl = values.get("OllamaLLMBasePath");
  const token = values.find("OllamaLLMAuthToken");
  return {
    vendor: { name: "Ollama", origin: readOrigin(baseUrl), secrets: token ? [token] : [] },
    baseUrl: baseUrl.replace(/\/+$/, ""),
    authToken: token,
    limits: { ...localLimits, ...limits },
  };
}

const defaultKeepAlive = 300;

const identity = { id: "ollama", name: "Ollama", group: "local" } as const;

export const ollama: Vendor = {
  ...identity,
  language: {
    fields: [
      {
        key: "OllamaLLMBasePath",
        label: "address",
        kind: "url",
        required: true,
        placeholder,
        candidates: usualAddresses(11434),
        check: all(notEmpty, webAddressWithoutSlash),
      },
      {
        key: "OllamaLLMModelPref",
        label: "model",
        kind: "model",
        required: true,
        check: anything,
      },
      {
        key: "OllamaLLMTokenLimit",
        label: "contextWindow",
        kind: "number",
        required: false,
        default: 4096,
        min: 1,
      },
      {
        key: "OllamaLLMKeepAliveSeconds",
        label: "keepLoaded",
        kind: "select",
        required: false,
        default: String(defaultKeepAlive),
        options: ["0", "300", "3600", "-1"],
        advanced: true,
        check: optional(wholeNumber),
      },
      {
        key: "OllamaLLMPerformanceMode",
        label: "performance",
        kind: "select",
        required: false,
        default: "maximum",
        options: ["base", "maximum"],
        advanced: true,
      },
      authToken,
    ],
    supports: { images: true, files: false, tools: true, output: true },
    create(values, options) {
      const keepAlive = Number(values.get("OllamaLLMKeepAliveSeconds"));
      return new OllamaLanguageModel({
        ...endpoint(values, options),
        model: options.model?.trim() || values.get("OllamaLLMModelPref"),
        setsContext: values.get("OllamaLLMPerformanceMode") !== "base",
        keepAliveSeconds: Number.isInteger(keepAlive) ? keepAlive : defaultKeepAlive,
        contextWindow: values.getNumber("OllamaLLMTokenLimit"),
        facts: options.facts,
      });
    },
    listModels: (values, options, signal) => listOllamaModels(endpoint(values, options), signal),
    warm: loadProviderFetch,
  },
  embedding: createEmbedder(identity, {
    protocol: ollamaEmbeddings,
    fields: [
      embeddingAddress(placeholder, usualAddresses(11434)),
      embeddingModel(),
      maxChunkLength,
      embeddingBatch("OllamaEmbeddingBatchSize", "batchSize", 1),
      { ...authToken, role: "key" },
    ],
    needsPrefixes: true,
    // Ollama has no such setting, but stored names include one left over from another embedder.
    alsoNamedBy: "EmbeddingOutputDimensions",
    list: ({ apiKey, ...server }, signal) =>
      listOllamaModels({ ...server, authToken: apiKey }, signal),
  }),
};
