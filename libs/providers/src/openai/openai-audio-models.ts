import { z } from "zod";
import { runByteStream, withOneRetry } from "../http/run-request.ts";
import type {
  Recording,
  SpeechCall,
  SpeechModel,
  Transcript,
  TranscriptionModel,
} from "../spec/audio-model.ts";
import { ProviderError } from "../spec/provider-error.ts";
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

/**
 * CreateTranscriptionResponseJson and …VerboseJson; other servers may send null for no segments.
 */
const transcriptionReply = z.object({
  text: z.string(),
  segments: z
    .array(z.object({ start: z.number(), end: z.number(), text: z.string() }))
    .nullish()
    .transform((segments) => segments ?? []),
  /** Only sent with segments. */
  duration: z.number().nonnegative().nullish().catch(null),
  /** Other servers may omit it or use their own format. */
  usage: z
    .union([
      z.object({ type: z.literal("duration"), seconds: z.number().nonnegative() }),
      z.object({
        type: z.literal("tokens"),
        input_tokens: z.number().int().nonnegative(),
        output_tokens: z.number().int().nonnegative(),
      }),
    ])
    .nullish()
    .catch(null),
});
type Reply = z.infer<typeof transcriptionReply>;

/** Transcription by any server with OpenAI's route for it. */
export class OpenAiTranscriptionModel implements TranscriptionModel {
  /** API reference, CreateTranscriptionRequest: 25 MB. */
  readonly maxBytes = 25 * 1024 * 1024;
  readonly provider: string;
  readonly model: string;
  private readonly endpoint: OpenAiEndpoint;
  private readonly segments: boolean;

  constructor(options: {
    provider: string;
    endpoint: OpenAiEndpoint;
    model: string;
    /** Whether to request segments; models without them return only the text. */
    segments: boolean;
  }) {
    this.provider = options.provider;
    this.endpoint = options.endpoint;
    this.model = options.model;
    this.segments = options.segments;
  }

  async transcribe(recording: Recording, signal: AbortSignal): Promise<Transcript> {
    const { text, segments, duration, usage } = this.segments
      ? await this.sendForSegments(recording, signal)
      : await this.send(recording, signal);
    const seconds = usage?.type === "duration" ? usage.seconds : duration;
    return {
      ...(typeof seconds === "number" && { seconds }),
      ...(usage?.type === "tokens" && {
        tokens: { inputTokens: usage.input_tokens, outputTokens: usage.output_tokens },
      }),
      text: text.trim(),
      segments: segments.map((segment) => ({
        start: segment.start,
        end: segment.end,
        text: segment.text.trim(),
      })),
    };
  }

  /** Some models, such as gpt-4o-transcribe, reject the format that has segments. */
  private async sendForSegments(recording: Recording, signal: AbortSignal): Promise<Reply> {
    try {
      return await this.send(recording, signal, {
        response_format: "verbose_json",
        timestamp_granularities: ["segment"],
      });
    } catch (fault) {
      const isFormatRefused =
        fault instanceof ProviderError &&
        fault.kind === "invalid" &&
        /response_format|verbose_json|timestamp_granularities/.test(fault.message);
      if (!isFormatRefused) throw fault;
      return this.send(recording, signal);
    }
  }

  private async send(
    { bytes, filename, mime }: Recording,
    signal: AbortSignal,
    format: { response_format: "verbose_json"; timestamp_granularities: ["segment"] } | object = {},
  ): Promise<Reply> {
    const client = await createOpenAiClient(this.endpoint);
    const reply: unknown = await withOneRetry(
      signal,
      () =>
        client.audio.transcriptions.create(
          {
            model: this.model,
            file: new File([Buffer.from(bytes)], filename, { type: mime }),
            response_format: "json",
            ...format,
          },
          { signal },
        ),
      (fault, started) => describeOpenAiFault(this.endpoint.vendor, fault, started),
    );
    const { data, error } = transcriptionReply.safeParse(reply);
    if (data === undefined)
      throw new ProviderError(
        { code: "provider.reply-unreadable", params: { vendor: this.endpoint.vendor.name } },
        { kind: "server", cause: error },
      );
    return data;
  }
}
