import { z } from "zod";
import { describeTransportFault } from "../http/describe-transport-fault.ts";
import { sharedFetch, withOneRetry } from "../http/run-request.ts";
import { ProviderError } from "../spec/provider-error.ts";
import type { Recording, Transcript, TranscriptionModel } from "../spec/transcription-model.ts";
import { deepgramHeaders, refuseDeepgram, type DeepgramEndpoint } from "./deepgram-endpoint.ts";

/** ListenV1Response (developers.deepgram.com/reference, v1, 2026). */
const listenReply = z.object({
  metadata: z.object({ duration: z.number().nonnegative() }).nullish().catch(null),
  results: z.object({
    channels: z.array(
      z.object({ alternatives: z.array(z.object({ transcript: z.string() })).min(1) }),
    ),
  }),
});

/** Its own API: the vendor has no OpenAI-compatible route. Only the text, for dictation. */
export class DeepgramTranscriptionModel implements TranscriptionModel {
  readonly provider = "deepgram";
  /** The vendor takes 2 GB; what people dictate is short. */
  readonly maxBytes = 25 * 1024 * 1024;

  constructor(
    private readonly endpoint: DeepgramEndpoint,
    readonly model: string,
  ) {}

  async transcribe({ bytes, mime }: Recording, signal: AbortSignal): Promise<Transcript> {
    const { vendor, baseUrl, limits } = this.endpoint;
    const options = new URLSearchParams({
      model: this.model,
      smart_format: "true",
      detect_language: "true",
    });
    const body = await withOneRetry(
      signal,
      async () => {
        const reply = await sharedFetch(new URL(baseUrl).origin, limits)(
          `${baseUrl}/listen?${options}`,
          {
            method: "POST",
            headers: { "content-type": mime, ...deepgramHeaders(this.endpoint) },
            body: Buffer.from(bytes),
            signal,
          },
        );
        const text = await reply.text();
        if (!reply.ok) throw refuseDeepgram(vendor, reply.status, text, reply.headers);
        return text;
      },
      (fault, started) => describeTransportFault(vendor, fault, started),
    );
    const reply = listenReply.safeParse(readJson(body));
    if (!reply.success)
      throw new ProviderError(
        { code: "provider.reply-unreadable", params: { vendor: vendor.name } },
        { kind: "server", cause: reply.error },
      );
    const text = reply.data.results.channels
      .map(({ alternatives }) => alternatives[0]!.transcript.trim())
      .filter(Boolean)
      .join("\n");
    const seconds = reply.data.metadata?.duration;
    return { text, segments: [], ...(seconds !== undefined && { seconds }) };
  }
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
