import { loadProviderFetch } from "@carrel/egress";
import type { CohereEndpoint } from "../cohere/cohere-endpoint.ts";
import { CohereLanguageModel } from "../cohere/cohere-language-model.ts";
import { listCohereModels } from "../cohere/list-cohere-models.ts";
import { readOrigin } from "../http/read-origin.ts";
import { hostedLimits } from "../http/run-request.ts";
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

export const cohere: Vendor = {
  id: "cohere",
  name: "Cohere",
  group: "hosted",
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
      ),
    listModels: (values, options, signal) =>
      listCohereModels(endpoint(values.find("CohereApiKey"), options), signal),
    warm: loadProviderFetch,
  },
};
