// Speech and transcription against a server that sends each vendor's own bytes.
import {
  createDictationModel,
  createSpeechModel,
  createTranscriptionModel,
  dictationProviders,
  findModelList,
  speechProviders,
  transcriptionProviders,
} from "@carrel/providers";
import { poll, startFakeLlm, type FakeBehaviour } from "@carrel/testing";
import { afterAll, afterEach, describe, expect, it } from "@jest/globals";
import { dictationCases, key, speechCases, transcriptionCases } from "./audio-cases.ts";

const fake = await startFakeLlm({ apiKey: key });
afterAll(() => fake.stop());
afterEach(() => {
  fake.behave({});
  fake.requests.length = 0;
});
const { signal } = new AbortController();
const faults: [string, FakeBehaviour, object][] = [
  ["a wrong key", { status: 401 }, { kind: "authentication" }],
  ["an unknown model", { status: 404 }, { kind: "not-found" }],
  ["a long limit", { status: 429, retryAfter: 60 }, { kind: "rate-limit", isRetryable: true }],
  ["an empty account", { status: 402 }, { kind: "rate-limit", isRetryable: false }],
  [
    "a rejected request",
    { status: 400, error: { message: `Unusable with ${key}` } },
    { kind: "invalid", message: expect.stringContaining("It says: Unusable with ***") },
  ],
];

describe.each(speechCases(fake.url))("$id speech", ({ id, expected, create }) => {
  async function read(text = "One two three."): Promise<string[]> {
    const pieces: string[] = [];
    for await (const bytes of create().stream({ text, signal }))
      pieces.push(Buffer.from(bytes).toString());
    return pieces;
  }

  it("streams the audio while it is generated, with the settings' model and voice", async () => {
    fake.behave({ delayMs: 200 });
    const pieces = await read();
    expect(pieces.join("")).toBe("One two three.");
    expect(pieces.length).toBeGreaterThan(1);
    expect(fake.requests).toMatchObject([expected]);
    expect(create()).toMatchObject({ provider: id, mime: "audio/mpeg" });
  });

  it.each<[string, FakeBehaviour, object]>([
    ...faults,
    ["a broken connection", { delayMs: 5, breakAfter: 1 }, { kind: "broken-stream" }],
  ])("reports %s", async (_what, behaviour, fault) => {
    fake.behave(behaviour);
    await expect(read()).rejects.toMatchObject({ name: "ProviderError", ...fault });
    expect(fake.requests).toHaveLength(1);
  });

  it("retries once before the first bytes", async () => {
    fake.next({ status: 503 });
    expect((await read()).join("")).toBe("One two three.");
    expect(fake.requests).toHaveLength(2);
  });

  it("ends the request when the caller aborts", async () => {
    fake.behave({ tokens: 1_000, delayMs: 10 });
    const controller = new AbortController();
    const reading = (async () => {
      for await (const bytes of create().stream({ text: "x", signal: controller.signal })) {
        void bytes;
        controller.abort();
      }
    })();
    await expect(reading).rejects.toMatchObject({ kind: "aborted" });
    await poll(() => fake.requests[0]!.aborted).toBe(true);
  });
});

const recording = {
  bytes: new Uint8Array([1, 2, 3]),
  filename: "talk.mp3",
  mime: "audio/mpeg",
};

describe.each(dictationCases(fake.url))("$id dictation", ({ isOpen, expected, create }) => {
  const { path, ...sent } = expected as { path: string; headers?: object; model?: string };

  it("sends the recording and returns its text", async () => {
    fake.behave({ reply: " Good morning. We begin. ", isOpen });
    expect(await create().transcribe(recording, signal)).toEqual({
      text: "Good morning. We begin.",
      segments: [],
      seconds: 3,
    });
    expect(fake.requests).toMatchObject([{ path, headers: sent.headers ?? {} }]);
    const body = JSON.stringify(fake.requests[0]!.body);
    if (sent.model !== undefined)
      for (const part of ["talk.mp3", "audio/mpeg", sent.model]) expect(body).toContain(part);
  });

  it.each(faults)("reports %s", async (_what, behaviour, fault) => {
    fake.behave({ ...behaviour, isOpen });
    const call = create().transcribe(recording, signal);
    await expect(call).rejects.toMatchObject({
      name: "ProviderError",
      ...fault,
      // It has no key that could be masked.
      ...(isOpen && { message: expect.any(String) }),
    });
  });

  it("is cancelled with the call", async () => {
    fake.behave({ hang: "headers", isOpen });
    const controller = new AbortController();
    const call = create().transcribe(recording, controller.signal);
    await poll(() => fake.requests.length).toBe(1);
    controller.abort();
    await expect(call).rejects.toMatchObject({ kind: "aborted" });
  });
});

describe.each(transcriptionCases(fake.url))("$id transcription", ({ expected, create }) => {
  const transcribe = () => create().transcribe(recording, signal);

  it("uploads the recording and returns segments in seconds", async () => {
    fake.behave({ reply: "Good morning. We begin." });
    expect(await transcribe()).toEqual({
      text: "Good morning. We begin.",
      segments: [
        { start: 0, end: 2.5, text: "Good morning." },
        { start: 2.5, end: 5, text: "We begin." },
      ],
      seconds: 5,
    });
    const [request] = fake.requests;
    expect(request!.headers["content-type"]).toMatch(/^multipart\/form-data; boundary=/);
    const sent = JSON.stringify(request!.body);
    const { model } = expected as { model: string };
    for (const part of ["talk.mp3", "audio/mpeg", model, "verbose_json", "segment"])
      expect(sent).toContain(part);
  });

  it("sends the whole recording again on a retry", async () => {
    fake.next({ status: 503 });
    fake.behave({ reply: "Hello." });
    expect((await transcribe()).text).toBe("Hello.");
    expect(fake.requests).toHaveLength(2);
    expect(JSON.stringify(fake.requests[1]!.body)).toContain("talk.mp3");
  });

  it("asks a model without segments for the text alone", async () => {
    fake.next({
      status: 400,
      error: { message: "response_format 'verbose_json' is not compatible with model." },
    });
    fake.behave({ reply: "Hello." });
    expect(await transcribe()).toEqual({ text: "Hello.", segments: [], seconds: 3 });
  });

  it("reports a reply without a text", async () => {
    fake.behave({ malformedAfter: 0 });
    await expect(transcribe()).rejects.toMatchObject({
      name: "ProviderError",
      fault: { code: "provider.reply-unreadable" },
    });
  });

  it.each(faults)("reports %s", async (_what, behaviour, fault) => {
    fake.behave(behaviour);
    await expect(transcribe()).rejects.toMatchObject({ name: "ProviderError", ...fault });
    expect(fake.requests).toHaveLength(1);
  });
});

describe("lists of voices and models", () => {
  const list = (id: string, settings: Record<string, string>) =>
    findModelList(id)!.fetch(settings, { baseUrl: `${fake.url}/v1` });

  it.each<[string, Record<string, string>, string, unknown, object[]]>([
    [
      "elevenlabs-tts",
      { TTSElevenLabsKey: key },
      "/v1/voices",
      { voices: [{ voice_id: "21m", name: "Rachel", category: "premade", labels: {} }] },
      [{ id: "21m", name: "Rachel", organization: "premade" }],
    ],
    [
      "kokoro-tts",
      { TTSKokoroEndpoint: `${fake.url}/v1`, TTSKokoroKey: key },
      "/v1/audio/voices",
      { voices: ["af_bella", { id: "bm_george", name: "George" }] },
      [
        { id: "af_bella", name: "af_bella", organization: "Kokoro" },
        { id: "bm_george", name: "bm_george", organization: "Kokoro" },
      ],
    ],
    [
      "deepgram-stt",
      { STTDeepgramApiKey: key },
      "/v1/models",
      {
        stt: [
          { name: "nova-3-general", canonical_name: "nova-3", batch: true },
          { name: "nova-3-medical", canonical_name: "nova-3", batch: true },
          { name: "flux", canonical_name: "flux", batch: false },
        ],
        tts: [],
      },
      [{ id: "nova-3", name: "nova-3", organization: "Deepgram" }],
    ],
    [
      "groq-stt",
      { STTGroqApiKey: key },
      "/v1/models",
      { data: [{ id: "whisper-large-v3" }, { id: "llama-3.1-8b-instant" }] },
      [{ id: "whisper-large-v3", name: "whisper-large-v3", organization: "Groq" }],
    ],
    [
      "lemonade-stt",
      { STTLemonadeBasePath: fake.url },
      "/api/v1/models",
      {
        data: [
          { id: "Whisper-Tiny", labels: ["audio"] },
          { id: "Qwen3", labels: [] },
        ],
      },
      [{ id: "Whisper-Tiny", name: "Whisper-Tiny", organization: "Lemonade" }],
    ],
  ])("%s", async (id, settings, path, reply, models) => {
    fake.behave({ replies: { [path]: reply }, isOpen: id === "lemonade-stt" });
    expect(await list(id, settings)).toEqual(models);
  });

  it("names OpenAI's models while there is no key", async () => {
    expect((await list("openai-stt", {})).map(({ id }) => id)).toEqual([
      "gpt-4o-mini-transcribe",
      "gpt-4o-transcribe",
      "whisper-1",
    ]);
  });

  it("reports a rejected key", async () => {
    await expect(list("deepgram-stt", { STTDeepgramApiKey: "wrong" })).rejects.toMatchObject({
      kind: "authentication",
    });
    await expect(list("elevenlabs-tts", { TTSElevenLabsKey: "wrong" })).rejects.toMatchObject({
      kind: "authentication",
    });
  });
});

describe("the registry", () => {
  it("has a case for every provider that runs on a server", () => {
    const idsOf = (providers: typeof speechProviders) =>
      providers
        .filter(({ inBrowser, group }) => !inBrowser && group !== "builtin")
        .map(({ id }) => id);
    expect(
      speechCases("")
        .map(({ id }) => id)
        .toSorted(),
    ).toEqual(idsOf(speechProviders).toSorted());
    expect(
      dictationCases("")
        .map(({ id }) => id)
        .toSorted(),
    ).toEqual(idsOf(dictationProviders).toSorted());
    expect(
      transcriptionCases("")
        .map(({ id }) => id)
        .toSorted(),
    ).toEqual(idsOf(transcriptionProviders).toSorted());
  });

  it("has browsers' own voices and ears first", () => {
    expect(speechProviders[0]).toMatchObject({
      id: "native",
      name: "Your browser",
      inBrowser: true,
    });
    expect(dictationProviders[0]).toMatchObject({ id: "native", inBrowser: true });
  });

  it("names a missing key, an unknown provider and one that runs in the browser", () => {
    const transcribe = (id: string) => createTranscriptionModel(id, {}, { modelsDir: "" });
    for (const create of [createSpeechModel, createDictationModel])
      for (const id of ["openai", "anthropic", "native", "nobody"])
        expect(() => create(id, {})).toThrow(
          expect.objectContaining({ name: "ProviderError", kind: "invalid" }),
        );
    for (const id of ["openai", "anthropic", "nobody"])
      expect(() => transcribe(id)).toThrow(expect.objectContaining({ kind: "invalid" }));
  });
});
