import { runByteStream } from "../http/run-byte-stream.ts";
import type { SpeechCall, SpeechModel } from "../spec/speech-model.ts";
import { createOpenAiClient, describeOpenAiFault, type OpenAiEndpoint } from "./openai-client.ts";

export const openAiVoices = ["alloy", "echo", "fable", "onyx", "nova", "shimmer"];

/** Speech from any server with OpenAI's route for it. */
export class OpenAiSpeechModel implements SpeechModel {
  readonly mime = "audio/mpeg";
  /** API reference, `input` of CreateSpeechRequest; other servers accept at least as much. */
  readonly maxCharacters = 4_096;
  readonly provider: string;
  readonly model: string;
  readonly voice: string;
  private readonly endpoint: OpenAiEndpoint;

  constructor(options: {
    provider: string;
    endpoint: OpenAiEndpoint;
    model: string;
    voice: string;
  }) {
    this.provider = options.provider;
    this.endpoint = options.endpoint;
    this.model = options.model;
    this.voice = options.voice;
  }

  stream({ text, signal }: SpeechCall): AsyncIterable<Uint8Array> {
    return runByteStream({
      signal,
      describe: (fault, started) => describeOpenAiFault(this.endpoint.vendor, fault, started),
      open: async (ownSignal) =>
        (await createOpenAiClient(this.endpoint)).audio.speech.create(
          { model: this.model, voice: this.voice, input: text, response_format: "mp3" },
          { signal: ownSignal },
        ),
    });
  }
}
