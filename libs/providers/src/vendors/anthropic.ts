import { all, notEmpty, startsWith } from "@carrel/contracts";
import { loadProviderFetch } from "@carrel/egress";
import type { AnthropicEndpoint } from "../anthropic/anthropic-client.ts";
import { AnthropicLanguageModel } from "../anthropic/anthropic-language-model.ts";
import { listAnthropicModels } from "../anthropic/list-anthropic-models.ts";
import { mapCacheControl } from "../anthropic/map-cache-control.ts";
import { readOrigin } from "../http/read-origin.ts";
import { hostedLimits } from "../http/run-request.ts";
import type { EndpointOptions, Vendor } from "./vendor.ts";

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
