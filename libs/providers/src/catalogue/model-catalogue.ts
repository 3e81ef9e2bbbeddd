import { readFileSync } from "node:fs";
import type { ListedModel } from "../spec/language-model.ts";
import { ProviderError } from "../spec/provider-error.ts";

/** A vendor's published facts about a model. */
export interface CatalogueModel {
  /** Tokens of prompt and answer together. */
  contextWindow: number;
  /** Maximum tokens of an answer. */
  outputLimit: number;
  vision: boolean;
  tools: boolean;
  reasoning: boolean;
  /** false: requests that set a temperature are rejected. */
  temperature: boolean;
  /** US dollars per million tokens; missing if the source has none. */
  inputPrice?: number;
  /** Price of tokens read from the vendor's prompt cache. */
  cachedInputPrice?: number;
  outputPrice?: number;
}

/** Prices in US dollars; missing if the source has none. */
export interface ModelPrice {
  /** Per million tokens, which is millionths of a dollar per token. */
  input?: number;
  /** Price of tokens read from the vendor's prompt cache. */
  cachedInput?: number;
  output?: number;
  /** Per million characters read aloud. */
  characters?: number;
  /** Per minute of audio. */
  audioMinutes?: number;
}

type Models = Readonly<Record<string, CatalogueModel>>;
interface Catalogue {
  vendors: Readonly<Record<string, Models>>;
  /** Prices of models that don't chat, by exact model ID. */
  otherPrices: Readonly<Record<string, Readonly<Record<string, ModelPrice>>>>;
}

let catalogue: Catalogue | undefined;

/** Loaded on first use: most processes never need it. */
const readCatalogue = (): Catalogue =>
  (catalogue ??= JSON.parse(
    readFileSync(new URL("./models.json", import.meta.url), "utf8"),
  ) as Catalogue);

const modelsOf = (vendor: string): Models => readCatalogue().vendors[vendor] ?? {};

/** A vendor's models that chat, by their ids. */
export const listCatalogueModels = (vendor: string): [id: string, model: CatalogueModel][] =>
  Object.entries(modelsOf(vendor));

/** Finds the price of an embedder, or of a speech or transcription model. */
export function findNonChatPrice(vendor: string, id: string): ModelPrice | undefined {
  const prices = readCatalogue().otherPrices[vendor];
  return prices !== undefined && Object.hasOwn(prices, id) ? prices[id] : undefined;
}

/**
 * Finds a model that any server offers under its vendor's id, with or without a prefix
 * (`openai/gpt-4.1`). Undefined if vendors disagree about the id.
 */
export function findModelOfAnyVendor(id: string): CatalogueModel | undefined {
  const own = id.slice(id.lastIndexOf("/") + 1);
  const found = Object.values(readCatalogue().vendors)
    .filter((models) => Object.hasOwn(models, own))
    .map((models) => models[own]!);
  return new Set(found.map((model) => model.contextWindow)).size === 1 ? found[0] : undefined;
}

/**
 * Finds a model by its vendor's id for it:
 * 1. under exactly this id;
 * 2. a fine-tune (`ft:gpt-4o-mini:mine::abc`) under the model it is based on;
 * 3. a dated or suffixed id under the longest known id that it continues after `-`, `:` or `@`:
 *    `gpt-4o-2027-01-01` is a `gpt-4o`, but `gpt-4.7` isn't a `gpt-4`.
 *
 * Returns undefined for anything else, so that callers decide how to treat an unknown model.
 */
export function findCatalogueModel(vendor: string, id: string): CatalogueModel | undefined {
  const models = modelsOf(vendor);
  const base = id.startsWith("ft:") ? id.split(":")[1]! : id;
  if (Object.hasOwn(models, base)) return models[base];
  const longest = Object.keys(models)
    .filter((known) => base.startsWith(known) && /^[-:@]/.test(base.slice(known.length)))
    .sort((a, b) => b.length - a.length)[0];
  return longest === undefined ? undefined : models[longest];
}

/**
 * The vendor's list, or the models we know of if the vendor can't be reached: existing clients'
 * forms are empty without a list. A refused key or address is still reported.
 */
export async function listOrKnown(
  list: Promise<ListedModel[]>,
  known: () => ListedModel[],
): Promise<ListedModel[]> {
  try {
    return await list;
  } catch (fault) {
    if (fault instanceof ProviderError && fault.kind === "unreachable" && fault.isRetryable)
      return known();
    throw fault;
  }
}
