import { all, notEmpty, startsWith } from "@carrel/contracts";
import { loadProviderFetch } from "@carrel/egress";
import { hostedLimits, withOneRetry } from "../http/run-request.ts";
import { readOrigin } from "../setting-values.ts";
import type { ListedModel } from "../spec/language-model.ts";
import type { EndpointOptions, Vendor } from "../vendors/vendor.ts";
import {
  AnthropicLanguageModel,
  createAnthropicClient,
  describeAnthropicFault,
  findAnthropicModel,
  type AnthropicEndpoint,
} from "./anthropic-language-model.ts";
import { mapCacheControl } from "./message-request.ts";

/** wire-contract.md 11.1: id and name. */
async function listAnthropicModels(
  endpoint: AnthropicEndpoint,
  signal: AbortSignal,
): Promise<ListedModel[]> {
  return withOneRetry(
    signal,
    async () => {
      const models: ListedModel[] = [];
      for await (const { id, display_name } of (await createAnthropicClient(endpoint)).models.list(
        { limit: 100 },
        { signal },
      ))
        models.push({
          id,
          name: display_name,
          contextWindow: findAnthropicModel(id).contextWindow,
        });
      return models;
    },
    (fault, started) => describeAnthropicFault(endpoint.vendor, fault, started),
  );
}

function endpoint(
  apiKey: string,
  { baseUrl = "https://api.anthropic.com", limits }: EndpointOptions,
): AnthropicEndpoint {
  return {
    vendor: { name: "Anthropic", origin: readOrigin(baseUrl), secrets: [apiKey] },
    baseUrl,
    apiKey,
    limits: { ...hostedLimits, ...limits },
  };
}

export const anthropic: Vendor = {
  id: "anthropic",
  name: "Anthropic",
  group: "hosted",
  dataPolicyUrl: "https://www.anthropic.com/legal/commercial-terms",
  keyUrl: "https://console.anthropic.com/settings/keys",
  language: {
    fields: [
      {
        key: "AnthropicApiKey",
        label: "key",
        kind: "secret",
        required: true,
        placeholder: "sk-ant-…",
        check: all(notEmpty, startsWith("sk-ant-", "Anthropic")),
      },
      {
        key: "AnthropicModelPref",
        label: "model",
        kind: "model",
        required: true,
        default: "claude-sonnet-4-6",
      },
      {
        key: "AnthropicCacheControl",
        label: "promptCache",
        kind: "select",
        required: false,
        default: "none",
        options: ["none", "5m", "1h"],
        advanced: true,
      },
    ],
    supports: { images: true, files: true, tools: true, output: true },
    create: (values, options) =>
      new AnthropicLanguageModel(
        endpoint(values.get("AnthropicApiKey"), options),
        options.model?.trim() || values.get("AnthropicModelPref"),
        mapCacheControl(values.get("AnthropicCacheControl")),
        options.facts,
      ),
    listModels: (values, options, signal) =>
      listAnthropicModels(endpoint(values.get("AnthropicApiKey"), options), signal),
    warm: loadProviderFetch,
  },
};
