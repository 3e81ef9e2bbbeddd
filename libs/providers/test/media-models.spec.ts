// Speech, transcription and images against a server that sends the vendor's own bytes.
import { afterAll, afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import { fakeImage, poll, startFakeLlm, type FakeBehaviour, type FakeLlm } from "@carrel/testing";
import {
  createImageModel,
  createSpeechModel,
  createTranscriptionModel,
  type SpeechCall,
} from "@carrel/providers";

const key = "sk-media-0123456789";
let fake: FakeLlm;
beforeAll(async () => {
  fake = await startFakeLlm({ apiKey: key });
});
afterAll(() => fake.stop());
afterEach(() => {
  fake.behave({});
  fake.requests.length = 0;
});
const { signal } = new AbortController();
const endpoint = () => ({ baseUrl: `${fake.url}/v1` });
const settings = { OpenAiKey: key, TTSOpenAIKey: key, ImageGenerationOpenAiKey: key };

describe.each(["openai"])("%s speech", (id) => {
  const model = () => createSpeechModel(id, settings, endpoint());
  async function read(call: Partial<SpeechCall> = {}): Promise<string[]> {
    const pieces: string[] = [];
    for await (const bytes of model().stream({ text: "One two three.", signal, ...call }))
      pieces.push(Buffer.from(bytes).toString());
    return pieces;
  }

  it("streams the audio while it is generated", async () => {
    fake.behave({ delayMs: 500 });
    const pieces = await read({ voice: model().voices[1]! });
    expect(pieces.join("")).toBe("One two three.");
    expect(pieces.length).toBeGreaterThan(1);
    expect(fake.requests[0]!.body).toMatchObject({
      input: "One two three.",
      voice: model().voices[1],
      response_format: "mp3",
    });
    expect(model().mime).toBe("audio/mpeg");
  });

  it("uses the voice of the settings by default", async () => {
    const chosen = createSpeechModel(id, { ...settings, TTSOpenAIVoiceModel: "nova" }, endpoint());
    for await (const bytes of chosen.stream({ text: "Hello.", signal })) void bytes;
    expect(chosen.voices[0]).toBe("nova");
    expect(fake.requests[0]!.body.voice).toBe("nova");
  });

  it.each<[string, FakeBehaviour, object]>([
    ["a broken connection", { delayMs: 5, breakAfter: 1 }, { kind: "broken-stream" }],
    ["an unknown model", { status: 404 }, { kind: "not-found" }],
    ["a long limit", { status: 429, retryAfter: 60 }, { kind: "rate-limit", isRetryable: true }],
  ])("reports %s", async (_what, behaviour, expected) => {
    fake.behave(behaviour);
    await expect(read()).rejects.toMatchObject({ name: "ProviderError", ...expected });
    expect(fake.requests).toHaveLength(1);
  });

  it("retries once before the first bytes", async () => {
    fake.next({ status: 503 });
    expect((await read()).join("")).toBe("One two three.");
  });

  it("ends the request when the caller aborts", async () => {
    fake.behave({ tokens: 1_000, delayMs: 10 });
    const controller = new AbortController();
    const reading = (async () => {
      for await (const bytes of model().stream({ text: "x", signal: controller.signal })) {
        void bytes;
        controller.abort();
      }
    })();
    await expect(reading).rejects.toMatchObject({ kind: "aborted" });
    await poll(() => fake.requests[0]!.aborted).toBe(true);
  });
});

describe.each(["openai"])("%s transcription", (id) => {
  const recording = {
    bytes: new Uint8Array([1, 2, 3]),
    filename: "talk.mp3",
    mime: "audio/mpeg",
  };
  const transcribe = () =>
    createTranscriptionModel(id, settings, endpoint()).transcribe(recording, signal);

  it("uploads the recording and returns segments in seconds", async () => {
    fake.behave({ reply: "Good morning. We begin." });
    expect(await transcribe()).toEqual({
      text: "Good morning. We begin.",
      segments: [
        { start: 0, end: 2.5, text: "Good morning." },
        { start: 2.5, end: 5, text: "We begin." },
      ],
    });
    const [request] = fake.requests;
    expect(request!.headers["content-type"]).toMatch(/^multipart\/form-data; boundary=/);
    const sent = JSON.stringify(request!.body);
    for (const part of ["talk.mp3", "audio/mpeg", "whisper-1", "verbose_json", "segment"])
      expect(sent).toContain(part);
  });

  it("sends the whole recording again on a retry", async () => {
    fake.next({ status: 503 });
    fake.behave({ reply: "Hello." });
    expect((await transcribe()).text).toBe("Hello.");
    expect(fake.requests).toHaveLength(2);
    expect(JSON.stringify(fake.requests[1]!.body)).toContain("talk.mp3");
  });

  it("reports a recording that the vendor rejects", async () => {
    fake.behave({ status: 400, error: { message: "Invalid file format." } });
    await expect(transcribe()).rejects.toMatchObject({
      kind: "invalid",
      message: expect.stringContaining("Invalid file format."),
    });
  });
});

describe.each(["openai"])("%s images", (id) => {
  const generate = (size?: string) =>
    createImageModel(id, settings, endpoint()).generate({
      prompt: "A reading desk",
      signal,
      ...(size !== undefined && { size }),
    });

  it("returns the generated image", async () => {
    expect(await generate("1536x1024")).toEqual({ mime: "image/png", base64: fakeImage });
    expect(fake.requests[0]!.body).toMatchObject({
      prompt: "A reading desk",
      size: "1536x1024",
      output_format: "png",
    });
  });

  it("reports a rejected key", async () => {
    const model = createImageModel(
      id,
      { ...settings, ImageGenerationOpenAiKey: "sk-wrong" },
      endpoint(),
    );
    await expect(model.generate({ prompt: "x", signal })).rejects.toMatchObject({
      kind: "authentication",
    });
  });
});

it.each([createSpeechModel, createTranscriptionModel, createImageModel])(
  "%p names a missing key and an unknown provider",
  (create) => {
    for (const id of ["openai", "anthropic", "nobody"])
      expect(() => create(id, {})).toThrow(
        expect.objectContaining({ name: "ProviderError", kind: "invalid" }),
      );
  },
);
