import { notEmpty, oneOf } from "@carrel/contracts";
import { loadProviderFetch } from "@carrel/egress";
import { safetyThresholds } from "../gemini/content-request.ts";
import type { GeminiEndpoint } from "../gemini/gemini-endpoint.ts";
import { GeminiLanguageModel } from "../gemini/gemini-language-model.ts";
import { listGeminiModels } from "../gemini/list-gemini-models.ts";
import { readOrigin } from "../http/read-origin.ts";
import { hostedLimits } from "../http/run-request.ts";
import type { EndpointOptions, Vendor } from "./vendor.ts";

function endpoint(
  apiKey: string,
  { baseUrl = "https://generativelanguage.googleapis.com", limits }: EndpointOptions,
): GeminiEndpoint {
  return {
    vendor: { name: "Gemini", origin: readOrigin(baseUrl), secrets: [apiKey] },
    baseUrl,
    apiKey,
    limits: { ...hostedLimits, ...limits },
  };
}

export const gemini: Vendor = {
  id: "gemini",
  name: "Google Gemini",
  phrase: "Gemini",
  group: "hosted",
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
      ),
    listModels: (values, options, signal) =>
      listGeminiModels(endpoint(values.get("GeminiLLMApiKey"), options), signal),
    warm: loadProviderFetch,
  },
};
