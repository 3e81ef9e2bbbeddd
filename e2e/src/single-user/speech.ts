import { poll, startFakeLlm, type FakeLlm, type Instance } from "@carrel/testing";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { Api } from "../api.ts";

const key = "fake-key";

export function testSpeech(instance: () => Instance): void {
  describe("reading aloud and dictation over HTTP", () => {
    let llm: FakeLlm;
    let api: Api;
    let slug: string;
    let chatId: number;
    const save = (values: Record<string, string>) =>
      api.json<{ error: unknown }>("POST", "/system/update-env", values);
    const listen = () => api.call("GET", `/workspace/${slug}/tts/${chatId}`);
    const dictate = () => {
      const form = new FormData();
      form.set("audio", new Blob(["a recording"], { type: "audio/webm" }), "speech.webm");
      return api.call("POST", "/system/transcribe-audio", form);
    };
    beforeAll(async () => {
      llm = await startFakeLlm({ apiKey: key, reply: "The key is behind the shed." });
      api = new Api(instance().url);
      await save({ GenericOpenAiBasePath: `${llm.url}/v1`, GenericOpenAiKey: key });
      ({ slug } = await api.makeWorkspace("Spoken"));
      await api.ask(slug, "Where is the key?");
      const { turns } = await api.json<{ turns: { id: number }[] }>(
        "GET",
        `/workspace/${slug}/turns`,
      );
      chatId = turns[0]!.id;
    });
    afterAll(async () => {
      await save({ TextToSpeechProvider: "native", SpeechToTextProvider: "native" });
      await llm?.stop();
    });

    it("are left to the browser until a provider is chosen", async () => {
      expect((await listen()).status).toBe(204);
      const refused = await dictate();
      expect([refused.status, refused.json()]).toEqual([
        400,
        { success: false, error: expect.stringContaining("Dictation runs in the browser") },
      ]);
    });

    it("are done by the chosen providers, at once", async () => {
      expect(
        (
          await save({
            TTSOpenAICompatibleEndpoint: `${llm.url}/v1`,
            TTSOpenAICompatibleKey: key,
            TTSOpenAICompatibleVoiceModel: "deep",
            TextToSpeechProvider: "generic-openai",
            STTOpenAICompatibleEndpoint: `${llm.url}/v1`,
            STTOpenAICompatibleKey: key,
            STTOpenAICompatibleModel: "small",
            SpeechToTextProvider: "generic-openai",
          })
        ).error,
      ).toBe(false);
      llm.behave({ reply: "echo" });
      await poll(async () => {
        const { status, type, text } = await listen();
        return { status, type, text };
      }).toEqual({ status: 200, type: "audio/mpeg", text: "The key is behind the shed." });
      llm.behave({ reply: "Meet me at noon." });
      expect((await dictate()).json()).toEqual({ success: true, text: "Meet me at noon." });
    });

    it("report what a provider refuses", async () => {
      llm.behave({ status: 401 });
      await save({ TTSOpenAICompatibleVoiceModel: "other" });
      await poll(async () => (await listen()).status).toBe(502);
      const refused = await dictate();
      expect([refused.status, refused.json()]).toEqual([
        502,
        { success: false, error: expect.stringContaining("rejected the key") },
      ]);
    });

    it("refuse a provider that doesn't exist", async () => {
      expect(await save({ TextToSpeechProvider: "parrot" })).toMatchObject({
        error: "parrot is not a valid TTS provider.",
      });
      expect(await save({ SpeechToTextProvider: "ear" })).toMatchObject({
        error: "ear is not a valid STT provider.",
      });
      expect(await save({ WhisperProvider: "ear" })).toMatchObject({
        error: "ear is not a valid transcription model provider.",
      });
      expect(await save({ WhisperModelPref: "huge" })).toMatchObject({
        error: "huge is not a valid Whisper model selection.",
      });
    });
  });
}
