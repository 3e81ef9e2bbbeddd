import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import {
  metadataHosts,
  setMetadataTrap,
  startRedirectingServer,
  type MetadataTrap,
} from "@carrel/testing";
import type * as Providers from "@carrel/providers";

let trap: MetadataTrap;
let providers: typeof Providers;
beforeAll(async () => {
  trap = await setMetadataTrap();
  providers = await import("@carrel/providers");
});
afterAll(() => trap.remove());

/** Every setting that is an address names this one; hosted vendors get it as base URL. */
const settingsAt = (address: string): Record<string, string> => ({
  OpenAiKey: "sk-0123456789",
  TTSOpenAIKey: "sk-0123456789",
  ImageGenerationOpenAiKey: "sk-0123456789",
  AnthropicApiKey: "sk-ant-0123456789",
  OllamaLLMBasePath: address,
  OllamaLLMModelPref: "model",
  GenericOpenAiBasePath: `${address}/v1`,
  GenericOpenAiModelPref: "model",
  EmbeddingBasePath: address,
  EmbeddingModelPref: "model",
});
const signal = new AbortController().signal;
const first = async (parts: AsyncIterable<unknown>): Promise<void> => {
  for await (const part of parts) return void part;
};

type Use = (address: string) => Promise<unknown>;
const languageVendors = ["openai", "anthropic", "ollama", "generic-openai"];
const uses: Record<string, Use> = Object.fromEntries<Use>([
  ...languageVendors.flatMap((id): [string, Use][] => [
    [
      `the language model of ${id}`,
      (baseUrl) =>
        first(
          providers.createLanguageModel(id, settingsAt(baseUrl), { baseUrl }).stream({
            system: "",
            messages: [{ role: "user", content: "Hello" }],
            temperature: null,
            signal,
          }),
        ),
    ],
    [
      `the model list of ${id}`,
      (baseUrl) => providers.findModelList(id)!.fetch(settingsAt(baseUrl), { baseUrl, signal }),
    ],
  ]),
  ...["openai", "ollama", "generic-openai"].map((id): [string, Use] => [
    `the embedder of ${id}`,
    (baseUrl) =>
      providers
        .createEmbeddingModel(id, settingsAt(baseUrl), { baseUrl, modelsDir: "", hub: null })
        .embed(["text"], "query", signal),
  ]),
  [
    "speech",
    (baseUrl) =>
      first(
        providers
          .createSpeechModel("openai", settingsAt(baseUrl), { baseUrl })
          .stream({ text: "Hello", signal }),
      ),
  ],
  [
    "transcription",
    (baseUrl) =>
      providers
        .createTranscriptionModel("openai", settingsAt(baseUrl), { baseUrl })
        .transcribe(
          { bytes: new Uint8Array(10), filename: "speech.wav", mime: "audio/wav" },
          signal,
        ),
  ],
  [
    "images",
    (baseUrl) =>
      providers
        .createImageModel("openai", settingsAt(baseUrl), { baseUrl })
        .generate({ prompt: "A tower", signal }),
  ],
]);

it("tests every vendor that has an address", () => {
  const withAddress = providers.vendors.filter(({ group }) => group !== "builtin");
  expect(withAddress.map(({ id }) => id).sort()).toEqual([...languageVendors].sort());
});

it("without protection, a client reaches the credentials directly and by a redirect", async () => {
  const server = await startRedirectingServer(308);
  for (const address of [server.url, ...metadataHosts.map((host) => `http://${host}`)]) {
    const reply = await fetch(`${address}/v1/models`);
    expect(await reply.text()).toBe("credentials");
  }
  await server.stop();
});

describe.each(Object.entries(uses))("%s", (_name, use) => {
  it("never connects to an address that serves credentials, however it is spelled", async () => {
    const before = trap.connections;
    for (const host of metadataHosts)
      await expect(use(`http://${host}`)).rejects.toMatchObject({
        name: "ProviderError",
        isRetryable: false,
        message: expect.stringContaining("belongs to the cloud's metadata service"),
      });
    expect(trap.connections).toBe(before);
  });

  it("follows no redirect to one", async () => {
    const before = trap.connections;
    for (const status of [301, 302, 303, 307, 308]) {
      const server = await startRedirectingServer(status);
      await expect(use(server.url)).rejects.toMatchObject({ name: "ProviderError" });
      expect(server.requests).toBeGreaterThan(0);
      await server.stop();
    }
    expect(trap.connections).toBe(before);
  });
});
