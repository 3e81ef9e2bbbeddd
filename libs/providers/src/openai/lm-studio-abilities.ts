import { z } from "zod";
import { sharedFetch } from "../http/run-request.ts";
import type { ModelAbilities } from "./chat-language-model.ts";
import { openAiHeaders, type OpenAiEndpoint } from "./openai-client.ts";

const timeoutMs = 3_000;

/** Since LM Studio 0.4 (lmstudio.ai/docs/developer/rest, 2026). */
const models = z.object({
  models: z.array(
    z.object({
      key: z.string(),
      loaded_instances: z.array(z.object({ id: z.string() })).catch([]),
      capabilities: z
        .object({
          vision: z.boolean().optional(),
          trained_for_tool_use: z.boolean().optional(),
        })
        .optional(),
    }),
  ),
});
/** Before that (lmstudio.ai/docs/developer/rest/endpoints, v0, 2025). */
const olderModels = z.object({
  data: z.array(
    z.object({
      id: z.string(),
      type: z.string().optional(),
      capabilities: z.array(z.string()).optional(),
    }),
  ),
});

async function ask(endpoint: OpenAiEndpoint, path: string, signal: AbortSignal): Promise<unknown> {
  try {
    const { origin } = new URL(endpoint.baseUrl);
    const reply = await sharedFetch(origin, endpoint.limits)(`${origin}${path}`, {
      headers: { accept: "application/json", ...openAiHeaders(endpoint) },
      signal,
    });
    const text = await reply.text();
    return reply.ok ? (JSON.parse(text) as unknown) : null;
  } catch {
    // The actual question will report what is wrong with the server more clearly.
    return null;
  }
}

/** What LM Studio says about a model; undefined if it is unreachable or says nothing. */
export async function findLmStudioAbilities(
  endpoint: OpenAiEndpoint,
  model: string,
  signal: AbortSignal,
): Promise<ModelAbilities | undefined> {
  const limited = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  const listed = models.safeParse(await ask(endpoint, "/api/v1/models", limited)).data;
  const found = listed?.models.find(
    ({ key, loaded_instances: loaded }) => key === model || loaded.some(({ id }) => id === model),
  )?.capabilities;
  if (found !== undefined) return { images: found.vision, tools: found.trained_for_tool_use };
  const older = olderModels.safeParse(await ask(endpoint, "/api/v0/models", limited)).data;
  const entry = older?.data.find(({ id }) => id === model);
  if (entry === undefined) return undefined;
  return {
    images: entry.type === undefined ? undefined : entry.type === "vlm",
    tools: entry.capabilities?.includes("tool_use"),
  };
}
