import { inFlight, json, prose, timeStream, uploadText } from "./client.ts";

/** A workspace of a running instance, with a developer API key. */
export interface Target {
  url: string;
  slug: string;
  key: string;
}

/** Configures an instance to use the fake vendor, and creates a workspace for the load. */
export async function prepareTarget(url: string, fakeUrl: string): Promise<Target> {
  const saved = await json<{ error: string | false }>(url, "POST", "/api/system/update-env", {
    LLMProvider: "generic-openai",
    GenericOpenAiBasePath: `${fakeUrl}/v1`,
    GenericOpenAiModelPref: "fake-model",
    GenericOpenAiTokenLimit: "32000",
    GenericOpenAiMaxTokens: "1024",
    EmbeddingEngine: "generic-openai",
    EmbeddingBasePath: `${fakeUrl}/v1`,
    EmbeddingModelPref: "fake-embedding",
    EmbeddingModelMaxChunkLength: "1000",
    VectorDB: "lancedb",
  });
  if (saved.error !== false) throw new Error(saved.error);
  const { workspace } = await json<{ workspace: { slug: string } }>(
    url,
    "POST",
    "/api/workspace/new",
    { name: "Memory" },
  );
  const { apiKey } = await json<{ apiKey: { secret: string } }>(
    url,
    "POST",
    "/api/system/generate-api-key",
    { name: "Memory" },
  );
  return { url, slug: workspace.slug, key: apiKey.secret };
}

export const uploadFiles = async (
  { url, slug }: Target,
  from: number,
  count: number,
): Promise<void> => {
  const replies = await inFlight(count, 8, (n) =>
    uploadText(url, slug, `file-${from + n}.txt`, prose(from + n, 10_000)),
  );
  const lost = replies.find((reply) => !reply.success);
  if (lost) throw new Error(`an upload failed: ${lost.error}`);
};

/** Asks questions, each in its own thread. */
export const askQuestions = async (
  { url, slug }: Target,
  from: number,
  count: number,
): Promise<void> => {
  await inFlight(count, 8, async (n) => {
    const base = `/api/workspace/${slug}/thread`;
    const { thread } = await json<{ thread: { slug: string } }>(url, "POST", `${base}/new`);
    const times = await timeStream(
      url,
      `${base}/${thread.slug}/stream-chat`,
      { message: prose(from + n, 300).slice(60, 160) },
      (frame) => frame.includes("textResponseChunk"),
      (frame) => frame.includes("finalizeResponseStream"),
    );
    if (times.error ?? !times.complete) throw new Error(times.error ?? "an answer has no end");
  });
};

export const search = async (
  { url, slug, key }: Target,
  from: number,
  count: number,
): Promise<void> => {
  await inFlight(count, 8, async (n) => {
    const reply = await fetch(`${url}/api/v1/workspace/${slug}/vector-search`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${key}` },
      body: JSON.stringify({ query: prose(from + n, 200).slice(40, 120), topN: 4 }),
    });
    const body = (await reply.json()) as { results?: unknown[] };
    if (!reply.ok || !Array.isArray(body.results))
      throw new Error(`a search failed: ${reply.status} ${JSON.stringify(body).slice(0, 300)}`);
  });
};
