import { all, notEmpty, oneOf, tokenLimit, webAddress } from "@carrel/contracts";
import { readOrigin } from "../setting-values.ts";
import {
  addressField,
  createChatVendor,
  keyField,
  modelField,
  windowField,
} from "./chat-vendor.ts";
import { embeddingKey, embeddingModel, outputDimensions } from "./embedding-vendor.ts";

const modelTypes = ["default", "reasoning"];

/**
 * The v1 API (learn.microsoft.com/azure/ai-foundry/openai/api-version-lifecycle, 2025): the model
 * is the deployment's name, the key a bearer token, and an api-version is only needed for previews,
 * so one in the address is passed on.
 */
function toBaseUrl(address: string): string {
  const origin = readOrigin(address);
  const version = new URL(address).searchParams.get("api-version");
  const query = version === null ? "" : `?api-version=${encodeURIComponent(version)}`;
  return `${origin}/openai/v1${query}`;
}

const endpoint = addressField("AzureOpenAiEndpoint", "https://my-resource.openai.azure.com", {
  check: all(notEmpty, webAddress),
});

/** No list: only Azure's management API lists deployments, and it takes no resource key. */
export const azure = createChatVendor({
  id: "azure",
  name: "Azure OpenAI",
  group: "hosted",
  dataPolicyUrl: "https://learn.microsoft.com/legal/cognitive-services/openai/data-privacy",
  keyUrl: "https://portal.azure.com",
  toBaseUrl,
  fields: [
    endpoint,
    keyField("AzureOpenAiKey"),
    modelField("AzureOpenAiModelPref", undefined, { label: "deployment" }),
    windowField("AzureOpenAiTokenLimit", 4096, {
      kind: "select",
      default: "4096",
      options: ["4096", "16384", "8192", "32768", "128000"],
      check: tokenLimit,
    }),
    {
      key: "AzureOpenAiModelType",
      label: "modelType",
      kind: "select",
      required: false,
      default: "default",
      options: modelTypes,
      check: oneOf(modelTypes, "setting.model-type-unknown"),
    },
  ],
  dialect: (values) =>
    values.get("AzureOpenAiModelType") === "reasoning"
      ? { maxTokensName: "max_completion_tokens", fixesTemperature: () => true }
      : {},
  embedder: {
    toBaseUrl,
    fields: [
      endpoint,
      embeddingKey("AzureOpenAiKey"),
      embeddingModel(undefined, { key: "AzureOpenAiEmbeddingModelPref", label: "deployment" }),
      outputDimensions,
    ],
    longest: 2_048,
    batch: 16,
  },
});
