import { z } from "zod";
import { listCatalogueModels } from "../catalogue/model-catalogue.ts";
import { fetchModelList } from "../http/fetch-json.ts";
import { listOrKnown } from "../http/known-models.ts";
import type { ListedModel } from "../spec/language-model.ts";
import { geminiHeaders, refuseGemini, type GeminiEndpoint } from "./gemini-endpoint.ts";

/** ListModelsResponse (ai.google.dev/api/models, 2026). */
const modelList = z.object({
  models: z.array(
    z.object({
      name: z.string(),
      displayName: z.string().optional(),
      inputTokenLimit: z.number().optional(),
      supportedGenerationMethods: z.array(z.string()).optional(),
    }),
  ),
});
type Listed = z.infer<typeof modelList>["models"][number];

const canChat = ({ name, supportedGenerationMethods = [] }: Listed): boolean =>
  supportedGenerationMethods.includes("generateContent") &&
  !/embedding|image|imagen|tts|audio|live|veo|aqa/.test(name);

const canEmbed = ({ supportedGenerationMethods = [] }: Listed): boolean =>
  supportedGenerationMethods.includes("embedContent");

/** Shown while there is no key, and while Gemini can't be reached. */
export const knownGeminiModels = (): ListedModel[] =>
  listCatalogueModels("gemini").map(([id, { contextWindow }]) => ({
    id,
    name: id,
    organization: "Google",
    contextWindow,
    experimental: id.includes("preview"),
  }));

/**
 * wire-contract.md 11.1: the models of the stable version of the API, then those that only its beta
 * has, which are experimental.
 */
export const listGeminiModels = (endpoint: GeminiEndpoint, signal: AbortSignal) =>
  listOrKnown(listModels(endpoint, canChat, signal), knownGeminiModels);

export const listGeminiEmbedders = (endpoint: GeminiEndpoint, signal: AbortSignal) =>
  listModels(endpoint, canEmbed, signal);

async function listModels(
  endpoint: GeminiEndpoint,
  keep: (model: Listed) => boolean,
  signal: AbortSignal,
): Promise<ListedModel[]> {
  const list = (version: string) =>
    fetchModelList({
      vendor: endpoint.vendor,
      url: `${endpoint.baseUrl}/${version}/models?pageSize=1000`,
      limits: endpoint.limits,
      headers: geminiHeaders(endpoint),
      signal,
      schema: modelList,
      refuse: (status, text, headers) => refuseGemini(endpoint.vendor, status, text, headers),
    });
  const [stable, beta] = await Promise.all([list("v1"), list("v1beta")]);
  const known = new Set(stable.models.map(({ name }) => name));
  return [...stable.models, ...beta.models.filter(({ name }) => !known.has(name))]
    .filter(keep)
    .map((model) => ({
      id: model.name.replace(/^models\//, ""),
      name: model.displayName ?? model.name,
      organization: "Google",
      ...(model.inputTokenLimit !== undefined && { contextWindow: model.inputTokenLimit }),
      experimental: !known.has(model.name),
    }));
}
