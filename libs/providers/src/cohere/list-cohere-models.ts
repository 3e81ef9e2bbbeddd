import { z } from "zod";
import { fetchModelList } from "../http/fetch-json.ts";
import type { ListedModel } from "../spec/language-model.ts";
import { cohereHeaders, refuseCohere, type CohereEndpoint } from "./cohere-endpoint.ts";
import { cohereWindow } from "./cohere-language-model.ts";

/** Shown while there is no key (specification 2, section 9). */
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

/** wire-contract.md 11.1: the models that chat, by id and name. */
export async function listCohereModels(
  endpoint: CohereEndpoint,
  signal: AbortSignal,
): Promise<ListedModel[]> {
  if (endpoint.apiKey === undefined)
    return fallbackModels.map((id) => describeModel(id, cohereWindow(id)));
  const { models } = await fetchModelList({
    vendor: endpoint.vendor,
    url: `${endpoint.baseUrl}/v1/models?page_size=1000&endpoint=chat`,
    limits: endpoint.limits,
    headers: cohereHeaders(endpoint),
    signal,
    schema: modelList,
    refuse: (status, text, headers) => refuseCohere(endpoint.vendor, status, text, headers),
  });
  return models.map((model) =>
    describeModel(model.name, model.context_length ?? cohereWindow(model.name)),
  );
}

const describeModel = (id: string, contextWindow: number): ListedModel => ({
  id,
  name: id,
  organization: "Cohere",
  contextWindow,
});
