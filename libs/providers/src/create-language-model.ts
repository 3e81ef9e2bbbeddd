import {
  AnthropicLanguageModel,
  listAnthropicModels,
  type CacheControl,
} from "./anthropic/anthropic-language-model.ts";
import type { AnthropicEndpoint } from "./anthropic/anthropic-client.ts";
import { hostedLimits, localLimits, type CallLimits } from "./http/run-request.ts";
import { nativeModels } from "./native/native-models.ts";
import type { OllamaEndpoint } from "./ollama/ollama-client.ts";
import { listOllamaModels, OllamaLanguageModel } from "./ollama/ollama-language-model.ts";
import { ChatLanguageModel } from "./openai/chat-language-model.ts";
import { listCompatibleModels, listOpenAiModels } from "./openai/list-openai-models.ts";
import type { OpenAiEndpoint } from "./openai/openai-client.ts";
import { ResponsesLanguageModel } from "./openai/responses-language-model.ts";
import { numberOf, textOf, type Settings } from "./settings.ts";
import type { LanguageModel, ListedModel } from "./spec/language-model.ts";
import { ProviderError } from "./spec/provider-error.ts";

export interface EndpointOptions {
  /** In place of the hosted vendor's own address (tests, a proxy of the instance's own). */
  baseUrl?: string;
  limits?: Partial<CallLimits>;
}
export interface LanguageModelOptions extends EndpointOptions {
  /** The workspace's own choice; null and absent mean the instance's. */
  model?: string | null;
}

const missing = (what: string): ProviderError => new ProviderError(what, { kind: "invalid" });

function requireText(settings: Settings, key: string, what: string): string {
  const value = textOf(settings, key);
  if (value === undefined) throw missing(what);
  return value;
}

function originOf(baseUrl: string): string {
  if (!URL.canParse(baseUrl) || !/^https?:$/.test(new URL(baseUrl).protocol))
    throw missing("The address of the provider is not a web address. Check it in the settings.");
  return new URL(baseUrl).origin;
}

export function openAiEndpoint(settings: Settings, o: EndpointOptions): OpenAiEndpoint {
  const baseUrl = o.baseUrl ?? "https://api.openai.com/v1";
  const apiKey = textOf(settings, "OpenAiKey");
  return {
    vendor: { name: "OpenAI", origin: originOf(baseUrl), secrets: apiKey ? [apiKey] : [] },
    baseUrl,
    apiKey,
    limits: { ...hostedLimits, ...o.limits },
  };
}

/** Any server that speaks OpenAI's protocol; the base path is used as given. */
export function compatibleEndpoint(
  baseUrl: string,
  apiKey: string | undefined,
  o: EndpointOptions,
): OpenAiEndpoint {
  const origin = originOf(baseUrl);
  return {
    vendor: { name: new URL(baseUrl).host, origin, secrets: apiKey ? [apiKey] : [] },
    baseUrl: baseUrl.replace(/\/+$/, ""),
    apiKey,
    limits: { ...localLimits, ...o.limits },
  };
}

function anthropicEndpoint(settings: Settings, o: EndpointOptions): AnthropicEndpoint {
  const baseUrl = o.baseUrl ?? "https://api.anthropic.com";
  const apiKey = requireText(
    settings,
    "AnthropicApiKey",
    "There is no key for Anthropic yet. Set one in the settings.",
  );
  return {
    vendor: { name: "Anthropic", origin: originOf(baseUrl), secrets: [apiKey] },
    baseUrl,
    apiKey,
    limits: { ...hostedLimits, ...o.limits },
  };
}

export function ollamaEndpoint(
  baseUrl: string,
  settings: Settings,
  o: EndpointOptions,
): OllamaEndpoint {
  const authToken = textOf(settings, "OllamaLLMAuthToken");
  return {
    vendor: { name: "Ollama", origin: originOf(baseUrl), secrets: authToken ? [authToken] : [] },
    baseUrl: baseUrl.replace(/\/+$/, ""),
    authToken,
    limits: { ...localLimits, ...o.limits },
  };
}

/** Ollama's window while no limit is set (specification 2, section 9). */
const ollamaWindow = 4_096;

/**
 * The model that the settings name. Throws ProviderError 'invalid' when a setting it cannot do
 * without is missing; `extractive` has its model in the chat service.
 */
export function createLanguageModel(
  id: string,
  settings: Settings,
  o: LanguageModelOptions = {},
): LanguageModel {
  const chosen = o.model?.trim() || undefined;
  switch (id) {
    case "openai": {
      const endpoint = openAiEndpoint(settings, o);
      if (endpoint.apiKey === undefined)
        throw missing("There is no key for OpenAI yet. Set one in the settings.");
      return new ResponsesLanguageModel(
        endpoint,
        chosen ?? textOf(settings, "OpenAiModelPref") ?? "gpt-4.1-nano",
      );
    }
    case "anthropic": {
      const cache = textOf(settings, "AnthropicCacheControl");
      return new AnthropicLanguageModel(
        anthropicEndpoint(settings, o),
        chosen ?? textOf(settings, "AnthropicModelPref") ?? "claude-sonnet-4-6",
        cache === "5m" || cache === "1h" ? cache : ("none" satisfies CacheControl),
      );
    }
    case "ollama": {
      const baseUrl = requireText(
        settings,
        "OllamaLLMBasePath",
        "There is no address for Ollama yet. Set one in the settings.",
      );
      const model =
        chosen ??
        requireText(
          settings,
          "OllamaLLMModelPref",
          "No model is chosen for Ollama yet. Choose one in the settings.",
        );
      const keepAlive = Number(textOf(settings, "OllamaLLMKeepAliveSeconds") ?? 300);
      const setsContext = settings.OllamaLLMPerformanceMode !== "base";
      return new OllamaLanguageModel({
        ...ollamaEndpoint(baseUrl, settings, o),
        model,
        setsContext,
        keepAliveSeconds: Number.isInteger(keepAlive) ? keepAlive : 300,
        contextWindow: numberOf(settings, "OllamaLLMTokenLimit", ollamaWindow),
      });
    }
    case "generic-openai": {
      const baseUrl = requireText(
        settings,
        "GenericOpenAiBasePath",
        "There is no address for the OpenAI compatible server yet. Set one in the settings.",
      );
      return new ChatLanguageModel({
        ...compatibleEndpoint(baseUrl, textOf(settings, "GenericOpenAiKey"), o),
        provider: id,
        model:
          chosen ??
          requireText(
            settings,
            "GenericOpenAiModelPref",
            "No model is chosen for the OpenAI compatible server yet. Choose one in the settings.",
          ),
        contextWindow: numberOf(settings, "GenericOpenAiTokenLimit", 4_096),
        maxTokens: numberOf(settings, "GenericOpenAiMaxTokens", 1_024),
      });
    }
    default:
      throw missing(`${id} is not a provider that writes.`);
  }
}

/**
 * The longest that a settings page waits for a list; an address that does not answer must not hold
 * it up.
 */
const listLimits: Partial<CallLimits> = { connectMs: 3_000, firstByteMs: 10_000, idleMs: 10_000 };

/** What the provider offers, wire-contract.md 11.1. Throws ProviderError. */
export async function listModels(
  id: string,
  settings: Settings,
  o: EndpointOptions & { signal?: AbortSignal } = {},
): Promise<ListedModel[]> {
  const signal = o.signal ?? AbortSignal.timeout(15_000);
  const options = { ...o, limits: { ...listLimits, ...o.limits } };
  switch (id) {
    case "openai":
      return listOpenAiModels(openAiEndpoint(settings, options), signal);
    case "anthropic":
      return listAnthropicModels(anthropicEndpoint(settings, options), signal);
    case "ollama":
      return listOllamaModels(
        ollamaEndpoint(
          requireText(settings, "OllamaLLMBasePath", "There is no address for Ollama yet."),
          settings,
          options,
        ),
        signal,
      );
    case "generic-openai":
      return listCompatibleModels(
        compatibleEndpoint(
          requireText(
            settings,
            "GenericOpenAiBasePath",
            "There is no address for the OpenAI compatible server yet.",
          ),
          textOf(settings, "GenericOpenAiKey"),
          options,
        ),
        signal,
      );
    case "native-embedder":
      return nativeModels.map(({ id: model, description, lang, size }) => ({
        id: model,
        name: model.slice(model.indexOf("/") + 1),
        description,
        lang,
        size,
        modelCard: `https://huggingface.co/${model}`,
      }));
    default:
      throw missing("Invalid provider for custom models");
  }
}
