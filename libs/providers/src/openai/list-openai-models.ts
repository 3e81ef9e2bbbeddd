import { listOrKnown } from "../http/known-models.ts";
import { withOneRetry } from "../http/run-request.ts";
import type { ListedModel } from "../spec/language-model.ts";
import { createOpenAiClient, describeOpenAiFault, type OpenAiEndpoint } from "./openai-client.ts";
import { findOpenAiModel } from "./responses-language-model.ts";
import { compareNaturally } from "../spec/natural-order.ts";

/**
 * Shown while OpenAI's own list is unavailable (no key yet, offline): six, as existing clients
 * expect (wire-contract.md 11.1).
 */
const fallbackModels = [
  "gpt-4.1",
  "gpt-4.1-mini",
  "gpt-4.1-nano",
  "gpt-4o",
  "gpt-4o-mini",
  "o4-mini",
];

const isChatModel = (id: string): boolean =>
  /^(?:gpt|o\d)/.test(id) &&
  !/vision|instruct|audio|realtime|image|moderation|transcribe|tts/.test(id);

async function listIds(endpoint: OpenAiEndpoint, signal: AbortSignal): Promise<string[]> {
  return withOneRetry(
    signal,
    async () => {
      const ids: string[] = [];
      for await (const model of (await createOpenAiClient(endpoint)).models.list({ signal }))
        ids.push(model.id);
      return ids.sort(compareNaturally);
    },
    (fault, started) => describeOpenAiFault(endpoint.vendor, fault, started),
  );
}

const listed = (id: string, organization: string): ListedModel => ({
  id,
  name: id,
  organization,
  contextWindow: findOpenAiModel(id).contextWindow,
});

/**
 * wire-contract.md 11.1: chat models under `OpenAi`, custom ones under `Your Fine-Tunes`. Without a
 * key or a connection, the six fallback models.
 */
export async function listOpenAiModels(
  endpoint: OpenAiEndpoint,
  signal: AbortSignal,
): Promise<ListedModel[]> {
  const known = (): ListedModel[] => fallbackModels.map((id) => listed(id, "OpenAi"));
  return endpoint.apiKey === undefined ? known() : listOrKnown(listOwn(endpoint, signal), known);
}

async function listOwn(endpoint: OpenAiEndpoint, signal: AbortSignal): Promise<ListedModel[]> {
  const ids = await listIds(endpoint, signal);
  const own = ids.filter((id) => id.startsWith("ft:"));
  return [
    ...ids.filter(isChatModel).map((id) => listed(id, "OpenAi")),
    ...own.map((id) => listed(id, "Your Fine-Tunes")),
  ];
}
