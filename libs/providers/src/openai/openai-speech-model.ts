import { runByteStream } from "../http/run-byte-stream.ts";
import type { SpeechCall, SpeechModel } from "../spec/speech-model.ts";
import { createOpenAiClient, describeOpenAiFault, type OpenAiEndpoint } from "./openai-client.ts";

export const openAiVoices = ["alloy", "echo", "fable", "onyx", "nova", "shimmer"];

export class OpenAiSpeechModel implements SpeechModel {
  readonly provider = "openai";
  readonly model = "tts-1";
  readonly voices: readonly string[];
  readonly mime = "audio/mpeg";
  /** API reference, `input` of CreateSpeechRequest. */
  readonly maxCharacters = 4_096;

  constructor(
    private readonly endpoint: OpenAiEndpoint,
    private readonly defaultVoice: string,
  ) {
    this.voices = [defaultVoice, ...openAiVoices.filter((voice) => voice !== defaultVoice)];
  }

  stream({ text, voice = this.defaultVoice, signal }: SpeechCall): AsyncIterable<Uint8Array> {
    return runByteStream({
      signal,
      describe: (fault, started) => describeOpenAiFault(this.endpoint.vendor, fault, started),
      open: async (ownSignal) =>
        (await createOpenAiClient(this.endpoint)).audio.speech.create(
          { model: this.model, voice, input: text, response_format: "mp3" },
          { signal: ownSignal },
        ),
    });
  }
}
