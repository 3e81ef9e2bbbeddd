import { loadProviderFetch } from "@carrel/egress";
import { all, notEmpty, startsWith, type SettingField } from "@carrel/contracts";
import { hostedLimits } from "../http/run-request.ts";
import { listOpenAiModels } from "../openai/list-openai-models.ts";
import { loadOpenAiSdk, type OpenAiEndpoint } from "../openai/openai-client.ts";
import { OpenAiEmbeddingModel } from "../openai/openai-embedding-model.ts";
import { ResponsesLanguageModel } from "../openai/responses-language-model.ts";
import { nameVectorSpace } from "../vector-space.ts";
import { readOrigin } from "../http/read-origin.ts";
import { embeddingModel, outputDimensions } from "./embedding-fields.ts";
import type { EndpointOptions, Vendor } from "./vendor.ts";

const apiKey: SettingField = {
  key: "OpenAiKey",
  label: "key",
  kind: "secret",
  required: true,
  placeholder: "sk-…",
  check: all(notEmpty, startsWith("sk-", "OpenAI Key must start with sk-")),
};

function endpoint(
  key: string | undefined,
  { baseUrl = "https://api.openai.com/v1", limits }: EndpointOptions,
): OpenAiEndpoint {
  return {
    vendor: { name: "OpenAI", origin: readOrigin(baseUrl), secrets: key ? [key] : [] },
    baseUrl,
    apiKey: key,
    limits: { ...hostedLimits, ...limits },
  };
}

export const openAi: Vendor = {
  id: "openai",
  name: "OpenAI",
  group: "hosted",
  keyUrl: "https://platform.openai.com/api-keys",
  language: {
    fields: [
      apiKey,
      {
        key: "OpenAiModelPref",
        label: "model",
        kind: "model",
        required: true,
        default: "gpt-4.1-nano",
      },
    ],
    create: (values, options) =>
      new ResponsesLanguageModel(
        endpoint(values.get("OpenAiKey"), options),
        options.model?.trim() || values.get("OpenAiModelPref"),
      ),
    listModels: (values, options, signal) =>
      listOpenAiModels(endpoint(values.find("OpenAiKey"), options), signal),
    warm: () => Promise.all([loadOpenAiSdk(), loadProviderFetch()]),
  },
  embedding: {
    fields: [
      apiKey,
      {
        ...embeddingModel,
        kind: "select",
        default: "text-embedding-ada-002",
        options: ["text-embedding-ada-002", "text-embedding-3-small", "text-embedding-3-large"],
      },
      outputDimensions,
    ],
    create(values, options) {
      const model = values.get("EmbeddingModelPref");
      const dimensions = values.findNumber("EmbeddingOutputDimensions");
      return new OpenAiEmbeddingModel({
        ...endpoint(values.get("OpenAiKey"), options),
        provider: "openai",
        model,
        vectorSpace: nameVectorSpace("openai", model, values.find("EmbeddingOutputDimensions")),
        maxInputCharacters: 8_191,
        batchSize: 500,
        ...(dimensions !== undefined && { outputDimensions: dimensions }),
      });
    },
  },
};
