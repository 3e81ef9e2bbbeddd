import {
  all,
  notEmpty,
  positiveNumber,
  webAddress,
  type SettingField,
  type SettingLabel,
} from "@carrel/contracts";
import {
  HttpEmbeddingModel,
  noPrefixes,
  prefixesOf,
  type EmbeddingProtocol,
  type Prefixes,
} from "../embedding/http-embedding-model.ts";
import { hostedLimits, localLimits } from "../http/run-request.ts";
import { openAiEmbeddings } from "../openai/embedding-protocol.ts";
import { listVendorModels, type ModelListing } from "../openai/model-listing.ts";
import { readOrigin, type SettingValues } from "../setting-values.ts";
import { nameVectorSpace } from "../spec/embedding-model.ts";
import type { ListedModel } from "../spec/language-model.ts";
import type { EmbeddingCapability, EndpointOptions, Vendor } from "./vendor.ts";

/** What a field of an embedder's form is for. */
type EmbedderRole =
  | "address"
  | "key"
  | "model"
  | "longest"
  | "batch"
  | "dimensions"
  | "passagePrefix"
  | "queryPrefix";
type EmbedderField = SettingField & { role: EmbedderRole };

/** Settings that most embedders share (wire-contract.md 11.2). */
export const embeddingModel = (
  preferred?: string,
  more: Partial<SettingField> = {},
): EmbedderField => ({
  role: "model",
  key: "EmbeddingModelPref",
  label: "model",
  kind: "model",
  required: true,
  ...(preferred !== undefined && { default: preferred }),
  check: notEmpty,
  ...more,
});

export const embeddingAddress = (
  placeholder: string,
  candidates?: readonly string[],
): EmbedderField => ({
  role: "address",
  key: "EmbeddingBasePath",
  label: "address",
  kind: "url",
  required: true,
  placeholder,
  ...(candidates !== undefined && { candidates: [...candidates] }),
  check: all(notEmpty, webAddress),
});

export const maxChunkLength: EmbedderField = {
  role: "longest",
  key: "EmbeddingModelMaxChunkLength",
  label: "longestPassage",
  kind: "number",
  required: false,
  default: 1000,
  min: 1,
  check: positiveNumber,
};

export const outputDimensions: EmbedderField = {
  role: "dimensions",
  key: "EmbeddingOutputDimensions",
  label: "dimensions",
  kind: "number",
  required: false,
  min: 1,
  advanced: true,
};

/** The key of an embedder, often the same as for the vendor's language models. */
export const embeddingKey = (key: string, more: Partial<SettingField> = {}): EmbedderField => ({
  role: "key",
  key,
  label: "key",
  kind: "secret",
  required: true,
  ...more,
});

export const optionalEmbeddingKey = (
  key: string,
  more: Partial<SettingField> = {},
): EmbedderField => embeddingKey(key, { required: false, ...more });

export const embeddingBatch = (key: string, label: SettingLabel, texts: number): EmbedderField => ({
  role: "batch",
  key,
  label,
  kind: "number",
  required: false,
  default: texts,
  min: 1,
  advanced: true,
  check: positiveNumber,
});

export const embeddingPrefix = (role: "passagePrefix" | "queryPrefix", key: string) =>
  ({
    role,
    key,
    label: role,
    kind: "text",
    required: false,
    default: "",
    advanced: true,
  }) satisfies EmbedderField;

/** An embedder behind an address, as data from which the rest is derived. */
export interface EmbedderPreset {
  /** A hosted vendor's base URL; otherwise the address in the settings. */
  baseUrl?: string;
  /** Turns the address in the settings into a base URL; by default it is used as is. */
  toBaseUrl?: (address: string) => string;
  /** In the order of the form. */
  fields: readonly EmbedderField[];
  /** OpenAI's by default. */
  protocol?: EmbeddingProtocol;
  /** Maximum characters of a text, unless the form sets it. */
  longest?: number;
  /** Texts per request, unless the form sets it. */
  batch?: number;
  /** Maximum tokens of all texts in a request. */
  batchTokens?: number;
  /**
   * The server adds nothing to the texts, so we add the prefixes that the model was trained with.
   */
  needsPrefixes?: boolean;
  /** Vector lengths of models that have only one. */
  dimensions?: Readonly<Record<string, number>>;
  list?: ModelListing | ListModels;
  /** Faults name the server's address, because it could be any software. */
  isAnyServer?: boolean;
  /** Settings that stored names of its vectors include although the form lacks them. */
  alsoNamedBy?: string;
}

/** What a call needs to know about the vendor. */
export interface EmbedderEndpoint {
  vendor: { name: string; origin: string; secrets: readonly string[] };
  baseUrl: string;
  apiKey: string | undefined;
  limits: typeof hostedLimits;
}
type ListModels = (endpoint: EmbedderEndpoint, signal: AbortSignal) => Promise<ListedModel[]>;

/** Form, model and list of an embedder behind an address. */
export function createEmbedder(
  { id, name, group }: Pick<Vendor, "id" | "name" | "group">,
  preset: EmbedderPreset,
): EmbeddingCapability {
  const keys = new Map<EmbedderRole, string>(preset.fields.map(({ role, key }) => [role, key]));
  const { protocol = openAiEmbeddings(), toBaseUrl = (address) => address, list } = preset;
  const read = <T>(role: EmbedderRole, from: (key: string) => T): T | undefined => {
    const key = keys.get(role);
    return key === undefined ? undefined : from(key);
  };

  function endpoint(
    values: SettingValues,
    options: EndpointOptions,
    needsKey: boolean,
  ): EmbedderEndpoint {
    const base = (
      read("address", (key) => toBaseUrl(values.get(key))) ??
      options.baseUrl ??
      preset.baseUrl!
    ).replace(/\/+(?=\?|$)/, "");
    const isRequired = preset.fields.some(({ role, required }) => role === "key" && required);
    const apiKey = read("key", (key) =>
      needsKey && isRequired ? values.get(key) : values.find(key),
    );
    const origin = readOrigin(base);
    return {
      vendor: {
        name: preset.isAnyServer === true ? new URL(base).host : name,
        origin,
        secrets: apiKey === undefined ? [] : [apiKey],
      },
      baseUrl: base,
      apiKey,
      limits: { ...(group === "hosted" ? hostedLimits : localLimits), ...options.limits },
    };
  }

  function readPrefixes(values: SettingValues, model: string): Prefixes {
    if (preset.needsPrefixes === true) return prefixesOf(model);
    return {
      passage: read("passagePrefix", (key) => values.getExact(key)) ?? noPrefixes.passage,
      query: read("queryPrefix", (key) => values.getExact(key)) ?? noPrefixes.query,
    };
  }

  const longestInput = (values: SettingValues): number =>
    read("longest", (key) => values.getNumber(key)) ?? preset.longest!;

  function create(values: SettingValues, options: EndpointOptions): HttpEmbeddingModel {
    const model = values.get(keys.get("model")!);
    const prefixes = readPrefixes(values, model);
    const named = preset.alsoNamedBy;
    return new HttpEmbeddingModel({
      ...endpoint(values, options, true),
      provider: id,
      model,
      vectorSpace: nameVectorSpace(
        id,
        model,
        read("dimensions", (key) => values.find(key)) ??
          (named === undefined ? undefined : values.getExact(named).trim()),
        `${prefixes.passage}\n${prefixes.query}`.trim(),
      ),
      protocol,
      maxInputCharacters: longestInput(values),
      batchSize: Math.max(
        1,
        Math.floor(read("batch", (key) => values.getNumber(key)) ?? preset.batch!),
      ),
      batchTokens: preset.batchTokens,
      prefixes,
      outputDimensions: read("dimensions", (key) => values.findNumber(key)),
      knownDimensions: preset.dimensions?.[model],
    });
  }

  return {
    fields: preset.fields.map(({ role: _role, ...field }) => field),
    longestInput,
    create,
    ...(list !== undefined && {
      listModels: (values, options, signal) => {
        if (typeof list === "function") return list(endpoint(values, options, true), signal);
        const needsKey = list.isPublic !== true && list.fallback === undefined && !list.fixed;
        return listVendorModels(
          endpoint(values, options, needsKey),
          group === "hosted" ? { namesOwners: true, ...list } : list,
          signal,
        );
      },
    }),
  };
}
