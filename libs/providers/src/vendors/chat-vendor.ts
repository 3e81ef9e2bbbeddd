import { atLeast, optional, type SettingField } from "@carrel/contracts";
import { loadProviderFetch } from "@carrel/egress";
import {
  findCatalogueModel,
  findModelOfAnyVendor,
  type CatalogueModel,
} from "../catalogue/model-catalogue.ts";
import { hostedLimits, localLimits } from "../http/run-request.ts";
import { ChatLanguageModel, type ModelAbilities } from "../openai/chat-language-model.ts";
import type { ChatDialect } from "../openai/chat-request.ts";
import { listVendorModels, type ModelListing } from "../openai/model-listing.ts";
import type { OpenAiEndpoint } from "../openai/openai-client.ts";
import { readOrigin, type SettingValues } from "../setting-values.ts";
import { createEmbedder, type EmbedderPreset } from "./embedding-vendor.ts";
import type {
  EndpointOptions,
  LanguageCapability,
  LanguageModelOptions,
  Vendor,
} from "./vendor.ts";

/** Fields that most forms of language models have, each with its role. */
export const keyField = (key: string, more: Partial<SettingField> = {}) => ({
  role: "key" as const,
  key,
  label: "key" as const,
  kind: "secret" as const,
  required: true,
  ...more,
});

export const optionalKeyField = (key: string) => keyField(key, { required: false });

export const modelField = (key: string, preferred?: string, more: Partial<SettingField> = {}) => ({
  role: "model" as const,
  key,
  label: "model" as const,
  kind: "model" as const,
  required: true,
  ...(preferred !== undefined && { default: preferred }),
  ...more,
});

/** Validated as a URL with `more.check`; by default any URL. */
export const addressField = (
  key: string,
  placeholder: string,
  more: Partial<SettingField> = {},
) => ({
  role: "address" as const,
  key,
  label: "address" as const,
  kind: "url" as const,
  required: true,
  placeholder,
  ...more,
});

export const windowField = (key: string, tokens = 4096, more: Partial<SettingField> = {}) => ({
  role: "contextWindow" as const,
  key,
  label: "contextWindow" as const,
  kind: "number" as const,
  required: true,
  default: tokens,
  min: 1,
  ...more,
});

export const maxTokensField = (key: string, tokens: number) => ({
  role: "maxTokens" as const,
  key,
  label: "longestAnswer" as const,
  kind: "number" as const,
  required: true,
  default: tokens,
  min: 1,
});

/** The shortest timeout (wire-contract 11.1). */
const shortestTimeoutMs = 500;

export const timeoutField = (key: string) => ({
  role: "timeout" as const,
  key,
  label: "streamTimeout" as const,
  kind: "number" as const,
  required: false,
  default: shortestTimeoutMs,
  min: shortestTimeoutMs,
  advanced: true,
  check: optional(atLeast(shortestTimeoutMs)),
});

/** What a field of the form is for; fields without a role exist only for this vendor. */
type Role = "address" | "key" | "model" | "contextWindow" | "maxTokens" | "timeout";
type RoleField = SettingField & { role?: Role };

/** A vendor that speaks OpenAI's chat completions, as data from which the rest is derived. */
export interface ChatPreset extends Omit<Vendor, "language" | "embedding" | "group"> {
  group: "hosted" | "local";
  /** A hosted vendor's base URL; otherwise the address in the settings. */
  baseUrl?: string;
  /** Turns the address in the settings into a base URL; by default it is used as is. */
  toBaseUrl?: (address: string) => string;
  /** In the order of the form. */
  fields: readonly RoleField[];
  /** Sent if the form has no model. */
  model?: string;
  /** Tokens, for models that neither the settings nor the catalogue know. */
  contextWindow?: number;
  /** Undefined: the vendor has no list. */
  list?: ModelListing;
  dialect?: ChatDialect | ((values: SettingValues) => ChatDialect);
  supports?: Partial<LanguageCapability["supports"] & object>;
  /** Asks a local server what a model accepts; undefined if it doesn't say. Never throws. */
  findAbilities?(
    endpoint: OpenAiEndpoint,
    model: string,
    signal: AbortSignal,
  ): Promise<ModelAbilities | undefined>;
  embedder?: EmbedderPreset;
}

/** What most of these servers accept; few of them read documents. */
const usualSupport = { images: true, files: false, tools: true, output: true };
const defaultWindow = 32_768;

/** Form, model and list of a vendor that speaks OpenAI's chat completions. */
export function createChatVendor({
  group,
  baseUrl,
  toBaseUrl = (address) => address,
  fields: roleFields,
  model: onlyModel,
  contextWindow = defaultWindow,
  list,
  dialect,
  supports,
  findAbilities,
  embedder,
  ...vendor
}: ChatPreset): Vendor {
  const keys = new Map(roleFields.map(({ role, key }) => [role, key]));
  const supported = { ...usualSupport, ...supports };

  function endpoint(
    values: SettingValues,
    options: EndpointOptions,
    needsKey: boolean,
  ): OpenAiEndpoint {
    const address = keys.get("address");
    const base =
      address === undefined ? (options.baseUrl ?? baseUrl!) : toBaseUrl(values.get(address));
    const key = keys.get("key");
    const isRequired = roleFields.some(({ role, required }) => role === "key" && required);
    const apiKey =
      key === undefined ? undefined : needsKey && isRequired ? values.get(key) : values.find(key);
    return {
      vendor: {
        name: vendor.name,
        origin: readOrigin(base),
        secrets: apiKey === undefined ? [] : [apiKey],
      },
      baseUrl: base.replace(/\/+(?=\?|$)/, ""),
      apiKey,
      limits: { ...(group === "hosted" ? hostedLimits : localLimits), ...options.limits },
    };
  }

  function chooseModel(values: SettingValues, { model }: LanguageModelOptions): string {
    const key = keys.get("model");
    return model?.trim() || (key === undefined ? onlyModel! : values.get(key));
  }

  function create(values: SettingValues, options: LanguageModelOptions): ChatLanguageModel {
    const model = chooseModel(values, options);
    const { facts = {} } = options;
    const known = { ...findKnownModel(vendor.id, model), ...facts };
    // The server knows better than the catalogue, but not than an admin.
    const abilities = findAbilities === undefined ? known : facts;
    const server = endpoint(values, options, true);
    const window = keys.get("contextWindow");
    const maxTokens = keys.get("maxTokens");
    const timeout = keys.get("timeout");
    return new ChatLanguageModel({
      ...server,
      provider: vendor.id,
      model,
      contextWindow:
        facts.contextWindow ??
        (window === undefined ? known.contextWindow : values.findNumber(window)) ??
        contextWindow,
      maxTokens: maxTokens === undefined ? undefined : values.findNumber(maxTokens),
      images: supported.images ? abilities.vision : false,
      tools: supported.tools ? abilities.tools : false,
      findAbilities: findAbilities && ((signal) => findAbilities(server, model, signal)),
      reasoning: known.reasoning,
      files: supported.files,
      dialect: typeof dialect === "function" ? dialect(values) : dialect,
      endWithinMs:
        timeout === undefined ? undefined : Math.max(values.getNumber(timeout), shortestTimeoutMs),
    });
  }

  return {
    ...vendor,
    group,
    language: {
      fields: roleFields.map(({ role: _role, ...field }) => field),
      supports: supported,
      create,
      ...(list !== undefined && {
        listModels: (values, options, signal) => {
          const isOpen = list.isPublic === true || list.fixed !== undefined;
          return listVendorModels(
            endpoint(values, options, !isOpen && list.fallback === undefined),
            group === "hosted" ? { namesOwners: true, ...list } : list,
            signal,
          );
        },
      }),
      warm: loadProviderFetch,
    },
    ...(embedder && { embedding: createEmbedder({ ...vendor, group }, embedder) }),
  };
}

/** A vendor's own entry, or a model that all vendors describe alike. */
const findKnownModel = (vendor: string, model: string): CatalogueModel | undefined =>
  findCatalogueModel(vendor, model) ?? findModelOfAnyVendor(model);
