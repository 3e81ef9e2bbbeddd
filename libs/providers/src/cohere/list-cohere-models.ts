import { z } from "zod";
import { fetchModelList } from "../http/fetch-json.ts";
import { listOrKnown } from "../http/known-models.ts";
import type { ListedModel } from "../spec/language-model.ts";
import { cohereHeaders, refuseCohere, type CohereEndpoint } from "./cohere-endpoint.ts";
import { cohereWindow } from "./cohere-language-model.ts";

/** Shown while there is no key or no connection (specification 2, section 9). */
const fallbackModels = [
  "command-r",
  "command-r-plus",
  "command",
  "command-light",
  "command-nightly",
  "command-light-nightly",
];

/** ListModelsResponse (docs.cohere.com/reference/list-models, v1, 2026). */
const modelList = z.object({
  models: z.array(z.object({ name: z.string(), context_length: z.number().optional() })),
});

const fetchModels = (endpoint: CohereEndpoint, purpose: "chat" | "embed", signal: AbortSignal) =>
  fetchModelList({
    vendor: endpoint.vendor,
    url: `${endpoint.baseUrl}/v1/models?page_size=1000&endpoint=${purpose}`,
    limits: endpoint.limits,
    headers: cohereHeaders(endpoint),
    signal,
    schema: modelList,
    refuse: (status, text, headers) => refuseCohere(endpoint.vendor, status, text, headers),
  });

/** wire-contract.md 11.1: the models that chat, by id and name. */
export async function listCohereModels(
  endpoint: CohereEndpoint,
  signal: AbortSignal,
): Promise<ListedModel[]> {
  const known = (): ListedModel[] =>
    fallbackModels.map((id) => describeModel(id, cohereWindow(id)));
  return endpoint.apiKey === undefined ? known() : listOrKnown(listOwn(endpoint, signal), known);
}

async function listOwn(endpoint: CohereEndpoint, signal: AbortSignal): Promise<ListedModel[]> {
  const { models } = await fetchModels(endpoint, "chat", signal);
  return models.map((model) =>
    describeModel(model.name, model.context_length ?? cohereWindow(model.name)),
  );
}

/** wire-contract.md 2.2: the models that embed. */
export async function listCohereEmbedders(
  endpoint: CohereEndpoint,
  signal: AbortSignal,
): Promise<ListedModel[]> {
  const { models } = await fetchModels(endpoint, "embed", signal);
  return models.map((model) => describeModel(model.name, model.context_length));
}

const describeModel = (id: string, contextWindow: number | undefined): ListedModel => ({
  id,
  name: id,
  organization: "Cohere",
  ...(contextWindow !== undefined && { contextWindow }),
});
