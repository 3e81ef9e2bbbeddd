import { metadataHosts, setMetadataTrap, startRedirectingServer } from "@carrel/testing";
import { afterAll, describe, expect, it } from "@jest/globals";
import { embeddingSettings, languageSettings } from "./vendor-settings.ts";

// Set before anything that connects is loaded.
const trap = await setMetadataTrap();
const providers = await import("@carrel/providers");
afterAll(() => trap.remove());

/** Settings for every other purpose; the vendor gets the address as base URL. */
const mediaSettings: Record<string, string> = {
  OpenAiKey: "sk-0123456789",
  TTSOpenAIKey: "sk-0123456789",
  ImageGenerationOpenAiKey: "sk-0123456789",
};
const signal = new AbortController().signal;
const first = async (parts: AsyncIterable<unknown>): Promise<void> => {
  for await (const part of parts) return void part;
};

const key = "sk-ant-0123456789";
type Use = (address: string) => Promise<unknown>;
const embeddingVendors = providers.vendors.filter(
  ({ id, embedding }) => embedding !== undefined && id !== "native",
);
// Built-in models connect to nothing.
const languageVendors = providers.vendors.filter(
  ({ group, language }) => group !== "builtin" && language?.create !== undefined,
);
/** Lists that send no request. */
const fixedLists = ["perplexity"];
const uses: Record<string, Use> = Object.fromEntries<Use>([
  ...languageVendors.flatMap((vendor): [string, Use][] => [
    [
      `the language model of ${vendor.id}`,
      (baseUrl) =>
        first(
          providers
            .createLanguageModel(vendor.id, languageSettings(vendor, baseUrl, key), { baseUrl })
            .stream({
              system: "",
              messages: [{ role: "user", content: "Hello" }],
              temperature: null,
              signal,
            }),
        ),
    ],
  ]),
  ...languageVendors
    .filter(({ id, language }) => language!.listModels !== undefined && !fixedLists.includes(id))
    .map((vendor): [string, Use] => [
      `the model list of ${vendor.id}`,
      (baseUrl) =>
        providers
          .findModelList(vendor.id)!
          .fetch(languageSettings(vendor, baseUrl, key), { baseUrl, signal }),
    ]),
  ...embeddingVendors.map((vendor): [string, Use] => [
    `the embedder of ${vendor.id}`,
    (baseUrl) =>
      providers
        .createEmbeddingModel(vendor.id, embeddingSettings(vendor, baseUrl, key), {
          baseUrl,
          modelsDir: "",
          hub: null,
        })
        .embed(["text"], "query", signal),
  ]),
  ...embeddingVendors
    // Voyage's list is fixed, so nothing is requested.
    .filter(({ id, embedding }) => embedding!.listModels !== undefined && id !== "voyageai")
    .map((vendor): [string, Use] => [
      `the embedders of ${vendor.id}`,
      (baseUrl) =>
        providers
          .findModelList(`${vendor.id}-embedder`)!
          .fetch(embeddingSettings(vendor, baseUrl, key), { baseUrl, signal }),
    ]),
  [
    "speech",
    (baseUrl) =>
      first(
        providers
          .createSpeechModel("openai", mediaSettings, { baseUrl })
          .stream({ text: "Hello", signal }),
      ),
  ],
  [
    "transcription",
    (baseUrl) =>
      providers
        .createTranscriptionModel("openai", mediaSettings, { baseUrl, modelsDir: "" })
        .transcribe(
          { bytes: new Uint8Array(10), filename: "speech.wav", mime: "audio/wav" },
          signal,
        ),
  ],
  [
    "ElevenLabs' speech",
    (baseUrl) =>
      first(
        providers
          .createSpeechModel("elevenlabs", { TTSElevenLabsKey: key }, { baseUrl })
          .stream({ text: "Hello", signal }),
      ),
  ],
  [
    "Deepgram's dictation",
    (baseUrl) =>
      providers
        .createDictationModel("deepgram", { STTDeepgramApiKey: key }, { baseUrl })
        .transcribe(
          { bytes: new Uint8Array(10), filename: "speech.wav", mime: "audio/wav" },
          signal,
        ),
  ],
  [
    "images",
    (baseUrl) =>
      providers
        .createImageModel("openai", mediaSettings, { baseUrl })
        .generate({ prompt: "A tower", signal }),
  ],
]);

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
