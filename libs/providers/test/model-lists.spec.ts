// Lists of models as existing clients get them (wire-contract 11.1).
import { findModelList, vendors, type ListedModel } from "@carrel/providers";
import { startFakeLlm, type FakeLlm } from "@carrel/testing";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import { publishedEmbedders } from "./published-embedders.ts";
import { publishedLists } from "./published-lists.ts";
import { embeddingSettings, languageSettings } from "./vendor-settings.ts";

const key = "sk-ant-0123456789";
let fake: FakeLlm;
beforeAll(async () => {
  fake = await startFakeLlm({ apiKey: key });
});
afterEach(() => {
  fake.behave({});
  fake.requests.length = 0;
});
afterAll(() => fake.stop());

const settingsOf = (id: string, url: string): Record<string, string> =>
  languageSettings(
    vendors.find((vendor) => vendor.id === id)!,
    url,
    key,
  );
const fetchList = (id: string, settings: Record<string, string>): Promise<ListedModel[]> =>
  findModelList(id)!.fetch(settings, { baseUrl: `${fake.url}/base` });

describe("the lists of vendors that speak OpenAI's protocol", () => {
  it.each(Object.entries(publishedLists))("%s", async (id, { path, reply, models, isPublic }) => {
    const takesKey = vendors
      .find((vendor) => vendor.id === id)!
      .language!.fields.some(({ kind }) => kind === "secret");
    fake.behave({
      replies: { [path ?? "/base/models"]: reply },
      isOpen: isPublic === true || !takesKey,
    });
    const listed = await fetchList(id, settingsOf(id, `${fake.url}/base`));
    expect(listed).toEqual(models.map((model) => expect.objectContaining(model)));
    const { headers } = fake.requests.at(-1)!;
    const hasKey = "authorization" in headers;
    expect(hasKey).toBe(takesKey && isPublic !== true);
  });

  it("needs no key where the list is public", async () => {
    for (const [id, { path, reply, isPublic }] of Object.entries(publishedLists)) {
      if (isPublic !== true) continue;
      fake.behave({ replies: { [path ?? "/base/models"]: reply }, isOpen: true });
      expect(await fetchList(id, {})).not.toHaveLength(0);
    }
  });

  it("offers models that it knows without a key, where clients expect some", async () => {
    const idsOf = async (id: string) => (await fetchList(id, {})).map((model) => model.id);
    expect(await idsOf("deepseek")).toEqual(["deepseek-chat", "deepseek-reasoner"]);
    expect(await idsOf("minimax")).toHaveLength(7);
    expect(await idsOf("perplexity")).toEqual([
      "sonar",
      "sonar-pro",
      "sonar-reasoning",
      "sonar-reasoning-pro",
    ]);
    expect(await idsOf("cohere")).toEqual([
      "command-r",
      "command-r-plus",
      "command",
      "command-light",
      "command-nightly",
      "command-light-nightly",
    ]);
    expect(fake.requests).toHaveLength(0);
  });

  it.each([
    ["gemini", { GeminiLLMApiKey: key }, "gemini-2.0-flash-lite", 20],
    ["elevenlabs-tts", { TTSElevenLabsKey: key }, "21m00Tcm4TlvDq8ikWAM", 1],
    ["openai", { OpenAiKey: key }, "gpt-4.1-nano", 6],
    ["cohere", { CohereApiKey: key }, "command-r", 6],
    ["deepseek", { DeepSeekApiKey: key }, "deepseek-chat", 2],
    ["minimax", { MinimaxApiKey: key }, "MiniMax-M2.7", 7],
  ] as [string, Record<string, string>, string, number][])(
    "offers those of %s while it can't be reached, but not if it refuses the key",
    async (id, settings, model, least) => {
      const list = findModelList(id)!;
      const closed = { baseUrl: "http://127.0.0.1:1/base" };
      for (const unlisted of [list.fetch(settings, closed), list.fetch({}, closed)]) {
        const known = await unlisted;
        expect(known.map((each) => each.id)).toContain(model);
        expect(known.length).toBeGreaterThanOrEqual(least);
      }
      const wrong = Object.fromEntries(Object.keys(settings).map((each) => [each, "sk-wrong"]));
      await expect(fetchList(id, wrong)).rejects.toMatchObject({ kind: "authentication" });
    },
  );

  it("says what is missing, wrong or unreadable", async () => {
    await expect(fetchList("groq", {})).rejects.toMatchObject({ kind: "invalid" });
    await expect(fetchList("groq", { GroqApiKey: "wrong" })).rejects.toMatchObject({
      kind: "authentication",
    });
    fake.behave({ replies: { "/base/models": { models: "none" } } });
    await expect(fetchList("groq", { GroqApiKey: key })).rejects.toMatchObject({
      fault: { code: "provider.models-unlisted" },
    });
  });

  it("has no list where clients expect none", () => {
    for (const id of ["azure", "huggingface", "textgenwebui"])
      expect(findModelList(id)).toBeUndefined();
  });

  it("covers every vendor with a list", () => {
    const others = [
      "openai",
      "anthropic",
      "ollama",
      "generic-openai",
      "gemini",
      "cohere",
      "local-gguf",
    ];
    const listing = vendors.filter(({ language }) => language?.listModels !== undefined);
    expect(listing.map(({ id }) => id).sort()).toEqual(
      [...Object.keys(publishedLists), ...others, "perplexity", "bedrock"].sort(),
    );
  });
});

describe("the lists of embedders", () => {
  const listed = vendors.filter(({ embedding }) => embedding?.listModels !== undefined);
  const fetchEmbedders = (id: string) => {
    const vendor = listed.find((each) => each.id === id)!;
    return fetchList(`${id}-embedder`, embeddingSettings(vendor, `${fake.url}/base`, key));
  };

  it.each(Object.entries(publishedEmbedders))(
    "%s",
    async (id, { path, reply, models, isPublic }) => {
      fake.behave({
        replies: { [path ?? "/base/models"]: reply },
        isOpen: isPublic === true,
      });
      const found = await fetchEmbedders(id);
      expect(found).toEqual(models.map((model) => expect.objectContaining(model)));
      expect("authorization" in fake.requests.at(-1)!.headers).toBe(isPublic !== true);
    },
  );

  it("gemini: models that embed, of both versions of its API", async () => {
    const embeds = (name: string) => ({
      name: `models/${name}`,
      inputTokenLimit: 2_048,
      supportedGenerationMethods: ["embedContent"],
    });
    const chats = { name: "models/gemini-9", supportedGenerationMethods: ["generateContent"] };
    fake.behave({
      replies: {
        "/base/v1/models": { models: [embeds("gemini-embedding-001"), chats] },
        "/base/v1beta/models": { models: [embeds("gemini-embedding-2")] },
      },
    });
    expect((await fetchEmbedders("gemini")).map(({ id }) => id)).toEqual([
      "gemini-embedding-001",
      "gemini-embedding-2",
    ]);
  });

  it("offers the models of OpenAI and Voyage AI that it knows without a key", async () => {
    const idsOf = async (id: string) =>
      (await fetchList(`${id}-embedder`, {})).map((model) => model.id);
    expect(await idsOf("openai")).toEqual([
      "text-embedding-ada-002",
      "text-embedding-3-small",
      "text-embedding-3-large",
    ]);
    expect(await idsOf("voyageai")).toEqual(
      expect.arrayContaining(["voyage-3-lite", "voyage-4-large", "voyage-code-3", "voyage-law-2"]),
    );
    expect(fake.requests).toHaveLength(0);
  });

  it("covers every vendor with one, and needs a key", async () => {
    expect(listed.map(({ id }) => id).sort()).toEqual(
      [...Object.keys(publishedEmbedders), "gemini", "native", "voyageai"].sort(),
    );
    expect(findModelList("azure-embedder")).toBeUndefined();
    await expect(fetchList("mistral-embedder", {})).rejects.toMatchObject({ kind: "invalid" });
  });
});

it("gemini: models of the stable API, and experimental ones of its beta", async () => {
  const flash = {
    name: "models/gemini-2.5-flash",
    displayName: "Gemini 2.5 Flash",
    inputTokenLimit: 1_048_576,
    supportedGenerationMethods: ["generateContent", "countTokens"],
  };
  const preview = { ...flash, name: "models/gemini-9-preview", displayName: "Gemini 9 Preview" };
  const others = [
    { name: "models/gemini-embedding-001", supportedGenerationMethods: ["embedContent"] },
    { name: "models/gemini-2.5-flash-image", supportedGenerationMethods: ["generateContent"] },
  ];
  fake.behave({
    replies: {
      "/base/v1/models": { models: [flash, ...others] },
      "/base/v1beta/models": { models: [flash, preview, ...others] },
    },
  });
  expect(await fetchList("gemini", { GeminiLLMApiKey: key })).toEqual([
    {
      id: "gemini-2.5-flash",
      name: "Gemini 2.5 Flash",
      organization: "Google",
      contextWindow: 1_048_576,
      experimental: false,
    },
    expect.objectContaining({ id: "gemini-9-preview", experimental: true }),
  ]);
});

it("cohere: the models that chat", async () => {
  fake.behave({
    replies: {
      "/base/v1/models": { models: [{ name: "command-a-03-2025", context_length: 288_000 }] },
    },
  });
  expect(await fetchList("cohere", { CohereApiKey: key })).toEqual([
    {
      id: "command-a-03-2025",
      name: "command-a-03-2025",
      organization: "Cohere",
      contextWindow: 288_000,
    },
  ]);
});

it("bedrock: models on demand, and profiles of those that need one", async () => {
  const chats = { outputModalities: ["TEXT"], responseStreamingSupported: true };
  fake.behave({
    replies: {
      "/base/foundation-models": {
        modelSummaries: [
          {
            ...chats,
            modelId: "amazon.nova-lite-v1:0",
            modelName: "Nova Lite",
            providerName: "Amazon",
            inferenceTypesSupported: ["ON_DEMAND"],
          },
          {
            ...chats,
            modelId: "anthropic.claude-sonnet-4-6-v1:0",
            modelName: "Claude Sonnet 4.6",
            providerName: "Anthropic",
            inferenceTypesSupported: ["INFERENCE_PROFILE"],
          },
          { modelId: "amazon.titan-embed-text-v2:0", outputModalities: ["EMBEDDING"] },
        ],
      },
      "/base/inference-profiles": {
        inferenceProfileSummaries: [
          {
            inferenceProfileId: "us.anthropic.claude-sonnet-4-6-v1:0",
            inferenceProfileName: "US Claude Sonnet 4.6",
          },
        ],
      },
    },
  });
  expect(await fetchList("bedrock", { AwsBedrockLLMApiKey: key })).toEqual([
    { id: "amazon.nova-lite-v1:0", name: "Nova Lite", organization: "Amazon" },
    {
      id: "us.anthropic.claude-sonnet-4-6-v1:0",
      name: "US Claude Sonnet 4.6",
      organization: "Anthropic",
    },
  ]);
});
