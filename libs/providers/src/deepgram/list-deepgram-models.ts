import { z } from "zod";
import { fetchModelList } from "../http/fetch-json.ts";
import type { ListedModel } from "../spec/language-model.ts";
import { deepgramHeaders, refuseDeepgram, type DeepgramEndpoint } from "./deepgram-endpoint.ts";

/** ListModelsV1Response (developers.deepgram.com/reference, v1, 2026). */
const modelList = z.object({
  stt: z.array(z.object({ canonical_name: z.string().min(1), batch: z.boolean().optional() })),
});

/** wire-contract.md 2.2: the models that transcribe recordings, each once. */
export async function listDeepgramModels(
  endpoint: DeepgramEndpoint,
  signal: AbortSignal,
): Promise<ListedModel[]> {
  const { stt } = await fetchModelList({
    vendor: endpoint.vendor,
    url: `${endpoint.baseUrl}/models`,
    limits: endpoint.limits,
    headers: deepgramHeaders(endpoint),
    signal,
    schema: modelList,
    refuse: (status, text, headers) => refuseDeepgram(endpoint.vendor, status, text, headers),
  });
  const names = stt.filter(({ batch }) => batch !== false).map((each) => each.canonical_name);
  return [...new Set(names)].toSorted().map((id) => ({ id, name: id, organization: "Deepgram" }));
}
