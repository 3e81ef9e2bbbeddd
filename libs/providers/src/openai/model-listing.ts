import { z } from "zod";
import { findModelOfAnyVendor, listOrKnown } from "../catalogue/model-catalogue.ts";
import { withOneRetry } from "../http/run-request.ts";
import type { ListedModel } from "../spec/language-model.ts";
import { ProviderError } from "../spec/provider-error.ts";
import { createOpenAiClient, describeOpenAiFault, type OpenAiEndpoint } from "./openai-client.ts";

/** `model-2` comes before `model-10`. */
export const compareNaturally = new Intl.Collator("en", { numeric: true, sensitivity: "base" })
  .compare;

/** A model as a vendor lists it; vendors add their own fields. */
export type ModelEntry = z.infer<typeof modelEntry>;

/** How a vendor lists its models; by default at `models`, with the key, and all of them. */
export interface ModelListing {
  /** Below the base URL, or from the origin if it starts with a slash. */
  path?: string;
  /** The list needs no key. */
  isPublic?: boolean;
  /** Filters out models that can't chat. */
  keep?(entry: ModelEntry): boolean;
  /** Overrides the defaults of `describeModel`. */
  describe?(entry: ModelEntry): Partial<ListedModel>;
  /** Its `owned_by` names the models' owners; other servers write their own names there. */
  namesOwners?: boolean;
  /** Shown without a key, and while the vendor can't be reached. */
  fallback?: readonly string[];
  /** The vendor has no list; these are its models. */
  fixed?: readonly ListedModel[];
}

const modelEntry = z.looseObject({ id: z.string().min(1) });
/** Together replies with a bare list, everyone else with OpenAI's `{data}`. */
const modelList = z.union([
  z.array(modelEntry),
  z.object({ data: z.array(modelEntry) }).transform(({ data }) => data),
]);

/** What vendors call the size of the context window, in tokens. */
const windowNames = [
  "context_length",
  "context_window",
  "max_context_length",
  "context_size",
  "max_model_len",
  "max_input_tokens",
  "maxInputTokens",
];

export function readNumber(entry: ModelEntry, names: readonly string[]): number | undefined {
  for (const name of names) {
    const value = Number(entry[name] ?? Number.NaN);
    if (Number.isFinite(value) && value > 0) return value;
  }
  return undefined;
}

export function readText(entry: ModelEntry, names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = entry[name];
    if (typeof value === "string" && value.trim() !== "") return value.trim();
  }
  return undefined;
}

/**
 * The organisation by which lists are grouped. On model hubs, the model's own vendor precedes the
 * slash.
 */
const organizationOf = (entry: ModelEntry): string | undefined =>
  entry.id.includes("/") ? entry.id.slice(0, entry.id.indexOf("/")) : undefined;

/** The context window that a server's list names for a model. */
export const readWindow = (entry: ModelEntry): number | undefined => readNumber(entry, windowNames);

export function describeModel(
  entry: ModelEntry,
  vendor: string,
  { describe, namesOwners }: ModelListing,
): ListedModel {
  const contextWindow = readWindow(entry) ?? findModelOfAnyVendor(entry.id)?.contextWindow;
  return {
    id: entry.id,
    name: readText(entry, ["display_name", "title", "name"]) ?? entry.id,
    organization:
      organizationOf(entry) ??
      (namesOwners === true ? readText(entry, ["owned_by"]) : undefined) ??
      vendor,
    ...(contextWindow !== undefined && { contextWindow }),
    ...describe?.(entry),
  };
}

/** The models as the vendor lists them. Throws ProviderError. */
export async function fetchEntries(
  endpoint: OpenAiEndpoint,
  { path = "models", isPublic }: ModelListing,
  signal: AbortSignal,
): Promise<ModelEntry[]> {
  const isBelowOrigin = path.startsWith("/");
  const client = await createOpenAiClient({
    ...endpoint,
    ...(isBelowOrigin && { baseUrl: new URL(endpoint.baseUrl).origin }),
    ...(isPublic === true && { apiKey: undefined }),
  });
  const reply = await withOneRetry(
    signal,
    () => client.get<unknown>(isBelowOrigin ? path : `/${path}`, { signal }),
    (fault, started) => describeOpenAiFault(endpoint.vendor, fault, started),
  );
  const list = modelList.safeParse(reply);
  if (!list.success)
    throw new ProviderError(
      { code: "provider.models-unlisted" },
      { kind: "server", cause: list.error },
    );
  return list.data;
}

/** Lists a vendor's models, as existing clients expect them (wire-contract.md 11.1). */
export async function listVendorModels(
  endpoint: OpenAiEndpoint,
  listing: ModelListing,
  signal: AbortSignal,
): Promise<ListedModel[]> {
  const { fixed, fallback } = listing;
  if (fixed !== undefined) return [...fixed];
  const list = (): Promise<ListedModel[]> => listOwn(endpoint, listing, signal);
  if (fallback === undefined) return list();
  const known = (): ListedModel[] =>
    fallback.map((id) => describeModel({ id }, endpoint.vendor.name, listing));
  return endpoint.apiKey === undefined ? known() : listOrKnown(list(), known);
}

async function listOwn(
  endpoint: OpenAiEndpoint,
  listing: ModelListing,
  signal: AbortSignal,
): Promise<ListedModel[]> {
  const { name } = endpoint.vendor;
  const entries = await fetchEntries(endpoint, listing, signal);
  return entries
    .filter((entry) => listing.keep?.(entry) ?? true)
    .map((entry) => describeModel(entry, name, listing))
    .sort((a, b) => compareNaturally(a.id, b.id));
}
