import { z } from "zod";
import { fetchModelList } from "../http/fetch-json.ts";
import { listOrKnown } from "../http/known-models.ts";
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

/** The vendor's own example, which every account has. */
export const defaultVoice = "21m00Tcm4TlvDq8ikWAM";

/** Shown while there is no key, and while ElevenLabs can't be reached, as existing clients do. */
export const knownElevenLabsVoices = (): ListedModel[] => [
  { id: defaultVoice, name: "Rachel (default)", organization: "premade" },
];

/** wire-contract.md 2.2: the voices of an account, grouped by their origin. */
export const listElevenLabsVoices = (endpoint: ElevenLabsEndpoint, signal: AbortSignal) =>
  listOrKnown(listVoices(endpoint, signal), knownElevenLabsVoices);

async function listVoices(
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
