import { notEmpty } from "@carrel/contracts";
import { z } from "zod";
import { listOrKnown } from "../catalogue/model-catalogue.ts";
import { describeFault, retryAfter, type CalledVendor } from "../http/describe-fault.ts";
import { describeTransportFault } from "../http/describe-transport-fault.ts";
import { fetchModelList } from "../http/fetch-json.ts";
import { hostedLimits, runByteStream, sharedFetch, type CallLimits } from "../http/run-request.ts";
import { readErrorBody } from "../http/run-stream.ts";
import { readOrigin } from "../setting-values.ts";
import type { SpeechCall, SpeechModel } from "../spec/audio-model.ts";
import type { ListedModel } from "../spec/language-model.ts";
import type { ProviderError } from "../spec/provider-error.ts";
import type { EndpointOptions, Vendor } from "../vendors/vendor.ts";

interface ElevenLabsEndpoint {
  vendor: CalledVendor;
  /** With the version. */
  baseUrl: string;
  apiKey: string | undefined;
  limits: CallLimits;
}

const elevenLabsHeaders = ({ apiKey }: ElevenLabsEndpoint): Record<string, string> =>
  apiKey === undefined ? {} : { "xi-api-key": apiKey };

/** `{detail: {status, message}}`; a 422 has a list (elevenlabs.io/docs/api-reference, v1, 2026). */
function refuseElevenLabs(
  vendor: CalledVendor,
  status: number,
  text: string,
  headers: { get(name: string): string | null },
): ProviderError {
  const detail: unknown = readErrorBody(text)?.detail;
  const first: unknown = Array.isArray(detail) ? detail[0] : detail;
  const {
    status: code,
    message,
    msg,
  } = typeof first === "object" && first !== null ? (first as Record<string, unknown>) : {};
  const said = [message, msg, detail].find((each) => typeof each === "string");
  return describeFault(vendor, {
    // A key with no characters left is refused with 401.
    statusCode: code === "quota_exceeded" ? 402 : status,
    code: code === "voice_not_found" ? "model_not_found" : typeof code === "string" ? code : "",
    message: said ?? text,
    retryAfterMs: retryAfter(headers),
  });
}

/** ElevenLabs' own API, as it has no OpenAI-compatible route. */
class ElevenLabsSpeechModel implements SpeechModel {
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

/** GetVoicesResponse (elevenlabs.io/docs/api-reference, v1, 2026). */
const voiceList = z.object({
  voices: z.array(
    z.object({ voice_id: z.string().min(1), name: z.string(), category: z.string().nullish() }),
  ),
});

/** The vendor's own example, which every account has. */
const defaultVoice = "21m00Tcm4TlvDq8ikWAM";

/** Shown without a key, and while ElevenLabs can't be reached, as existing clients do. */
const knownElevenLabsVoices = (): ListedModel[] => [
  { id: defaultVoice, name: "Rachel (default)", organization: "premade" },
];

/** wire-contract.md 2.2: the voices of an account, grouped by their origin. */
const listElevenLabsVoices = (endpoint: ElevenLabsEndpoint, signal: AbortSignal) =>
  listOrKnown(listVoices(endpoint, signal), knownElevenLabsVoices);

async function listVoices(
  endpoint: ElevenLabsEndpoint,
  signal: AbortSignal,
): Promise<ListedModel[]> {
  const { voices } = await fetchModelList({
    vendor: endpoint.vendor,
    url: `${endpoint.baseUrl}/voices`,
    limits: endpoint.limits,
    headers: elevenLabsHeaders(endpoint),
    signal,
    schema: voiceList,
    refuse: (status, text, headers) => refuseElevenLabs(endpoint.vendor, status, text, headers),
  });
  return voices.map(({ voice_id: id, name, category }) => ({
    id,
    name,
    organization: category ?? "ElevenLabs",
  }));
}

function endpoint(
  apiKey: string,
  { baseUrl = "https://api.elevenlabs.io/v1", limits }: EndpointOptions,
): ElevenLabsEndpoint {
  return {
    vendor: { name: "ElevenLabs", origin: readOrigin(baseUrl), secrets: [apiKey] },
    baseUrl,
    apiKey,
    limits: { ...hostedLimits, ...limits },
  };
}

export const elevenLabs: Vendor = {
  id: "elevenlabs",
  name: "ElevenLabs",
  group: "hosted",
  dataPolicyUrl: "https://elevenlabs.io/privacy-policy",
  keyUrl: "https://elevenlabs.io/app/settings/api-keys",
  speech: {
    fields: [
      { key: "TTSElevenLabsKey", label: "key", kind: "secret", required: true, check: notEmpty },
      {
        key: "TTSElevenLabsVoiceModel",
        label: "voice",
        kind: "model",
        required: true,
        default: defaultVoice,
        check: notEmpty,
      },
    ],
    create: (values, options) =>
      new ElevenLabsSpeechModel(
        endpoint(values.get("TTSElevenLabsKey"), options),
        values.get("TTSElevenLabsVoiceModel"),
      ),
    listModels: (values, options, signal) => {
      const key = values.find("TTSElevenLabsKey");
      return key === undefined
        ? Promise.resolve(knownElevenLabsVoices())
        : listElevenLabsVoices(endpoint(key, options), signal);
    },
  },
};
