import { describeTransportFault } from "../http/describe-transport-fault.ts";
import { runByteStream } from "../http/run-byte-stream.ts";
import { sharedFetch } from "../http/run-request.ts";
import type { SpeechCall, SpeechModel } from "../spec/speech-model.ts";
import {
  elevenLabsHeaders,
  refuseElevenLabs,
  type ElevenLabsEndpoint,
} from "./elevenlabs-endpoint.ts";

/** Its own API: the vendor has no OpenAI-compatible route. */
export class ElevenLabsSpeechModel implements SpeechModel {
  readonly provider = "elevenlabs";
  readonly model = "eleven_multilingual_v2";
  readonly mime = "audio/mpeg";
  /** elevenlabs.io/docs/models: the limit of this model. */
  readonly maxCharacters = 10_000;

  constructor(
    private readonly endpoint: ElevenLabsEndpoint,
    readonly voice: string,
  ) {}

  stream({ text, signal }: SpeechCall): AsyncIterable<Uint8Array> {
    const { vendor, baseUrl, limits } = this.endpoint;
    const url = `${baseUrl}/text-to-speech/${encodeURIComponent(this.voice)}/stream?output_format=mp3_44100_128`;
    return runByteStream({
      signal,
      describe: (fault, started) => describeTransportFault(vendor, fault, started),
      open: async (ownSignal) => {
        const reply = await sharedFetch(new URL(baseUrl).origin, limits)(url, {
          method: "POST",
          headers: {
            accept: this.mime,
            "content-type": "application/json",
            ...elevenLabsHeaders(this.endpoint),
          },
          body: JSON.stringify({ text, model_id: this.model }),
          signal: ownSignal,
        });
        if (!reply.ok)
          throw refuseElevenLabs(vendor, reply.status, await reply.text(), reply.headers);
        return reply;
      },
    });
  }
}
