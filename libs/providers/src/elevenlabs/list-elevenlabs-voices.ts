import { z } from "zod";
import { fetchModelList } from "../http/fetch-json.ts";
import type { ListedModel } from "../spec/language-model.ts";
import {
  elevenLabsHeaders,
  refuseElevenLabs,
  type ElevenLabsEndpoint,
} from "./elevenlabs-endpoint.ts";

/** GetVoicesResponse (elevenlabs.io/docs/api-reference, v1, 2026). */
const voiceList = z.object({
  voices: z.array(
    z.object({ voice_id: z.string().min(1), name: z.string(), category: z.string().nullish() }),
  ),
});

/** wire-contract.md 2.2: the voices of an account, grouped by their origin. */
export async function listElevenLabsVoices(
  endpoint: ElevenLabsEndpoint,
  signal: AbortSignal,
): Promise<ListedModel[]> {
  const { voices } = await fetchModelList({
    vendor: endpoint.vendor,
    url: `${endpoint.baseUrl}/voices`,
    limits: endpoint.limits,
    headers: elevenLabsHeaders(endpoint),
    signal,
    schema: voiceList,
    refuse: (status, text, headers) => refuseElevenLabs(endpoint.vendor, status, text, headers),
  });
  return voices.map(({ voice_id: id, name, category }) => ({
    id,
    name,
    organization: category ?? "ElevenLabs",
  }));
}
