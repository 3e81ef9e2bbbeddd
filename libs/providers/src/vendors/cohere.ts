import { loadProviderFetch } from "@carrel/egress";
import type { CohereEndpoint } from "../cohere/cohere-endpoint.ts";
import { CohereLanguageModel } from "../cohere/cohere-language-model.ts";
import { cohereEmbeddings } from "../cohere/embedding-protocol.ts";
import { listCohereEmbedders, listCohereModels } from "../cohere/list-cohere-models.ts";
import { readOrigin } from "../http/read-origin.ts";
import { hostedLimits } from "../http/run-request.ts";
import { embeddingKey, embeddingModel, outputDimensions } from "./embedding-fields.ts";
import { createEmbedder } from "./embedding-vendor.ts";
import type { EndpointOptions, Vendor } from "./vendor.ts";

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
