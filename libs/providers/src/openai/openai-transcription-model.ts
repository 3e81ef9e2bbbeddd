import { withOneRetry } from "../http/run-request.ts";
import type { Transcript, TranscriptionModel } from "../spec/transcription-model.ts";
import { createOpenAiClient, describeOpenAiFault, type OpenAiEndpoint } from "./openai-client.ts";

export class OpenAiTranscriptionModel implements TranscriptionModel {
  readonly provider = "openai";
  /** The only model that returns segments with their times. */
  readonly model = "whisper-1";
  /** API reference, CreateTranscriptionRequest: 25 MB. */
  readonly maxBytes = 25 * 1024 * 1024;

  constructor(private readonly endpoint: OpenAiEndpoint) {}

  async transcribe(
    recording: { bytes: Uint8Array; filename: string; mime: string },
    signal: AbortSignal,
  ): Promise<Transcript> {
    const client = await createOpenAiClient(this.endpoint);
    const { text, segments = [] } = await withOneRetry(
      signal,
      () =>
        client.audio.transcriptions.create(
          {
            model: this.model,
            file: new File([Buffer.from(recording.bytes)], recording.filename, {
              type: recording.mime,
            }),
            response_format: "verbose_json",
            timestamp_granularities: ["segment"],
          },
          { signal },
        ),
      (fault, started) => describeOpenAiFault(this.endpoint.vendor, fault, started),
    );
    return {
      text: text.trim(),
      segments: segments.map((segment) => ({
        start: segment.start,
        end: segment.end,
        text: segment.text.trim(),
      })),
    };
  }
}
