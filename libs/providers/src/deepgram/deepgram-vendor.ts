import { notEmpty } from "@carrel/contracts";
import { z } from "zod";
import { describeFault, retryAfter, type CalledVendor } from "../http/describe-fault.ts";
import { describeTransportFault } from "../http/describe-transport-fault.ts";
import { fetchModelList } from "../http/fetch-json.ts";
import { hostedLimits, sharedFetch, withOneRetry, type CallLimits } from "../http/run-request.ts";
import { readErrorBody } from "../http/run-stream.ts";
import { readOrigin } from "../setting-values.ts";
import type { Recording, Transcript, TranscriptionModel } from "../spec/audio-model.ts";
import type { ListedModel } from "../spec/language-model.ts";
import { ProviderError } from "../spec/provider-error.ts";
import type { EndpointOptions, Vendor } from "../vendors/vendor.ts";

interface DeepgramEndpoint {
  vendor: CalledVendor;
  /** With the version. */
  baseUrl: string;
  apiKey: string;
  limits: CallLimits;
}

const deepgramHeaders = ({ apiKey }: DeepgramEndpoint): Record<string, string> => ({
  authorization: `Token ${apiKey}`,
});

/** `{err_code, err_msg}` (developers.deepgram.com/docs/errors, v1, 2026). */
function refuseDeepgram(
  vendor: CalledVendor,
  status: number,
  text: string,
  headers: { get(name: string): string | null },
): ProviderError {
  const body = readErrorBody(text);
  const message: unknown = body?.err_msg;
  return describeFault(vendor, {
    statusCode: status,
    message: typeof message === "string" ? message : text,
    retryAfterMs: retryAfter(headers),
  });
}

/** ListenV1Response (developers.deepgram.com/reference, v1, 2026). */
const listenReply = z.object({
  metadata: z.object({ duration: z.number().nonnegative() }).nullish().catch(null),
  results: z.object({
    channels: z.array(
      z.object({ alternatives: z.array(z.object({ transcript: z.string() })).min(1) }),
    ),
  }),
});

/**
 * Deepgram's own API, as it has no OpenAI-compatible route. Returns only the text, for dictation.
 */
class DeepgramTranscriptionModel implements TranscriptionModel {
  readonly provider = "deepgram";
  /** The vendor accepts 2 GB, but what people dictate is short. */
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

/** ListModelsV1Response (developers.deepgram.com/reference, v1, 2026). */
const modelList = z.object({
  stt: z.array(z.object({ canonical_name: z.string().min(1), batch: z.boolean().optional() })),
});

/** wire-contract.md 2.2: the models that transcribe recordings, each once. */
async function listDeepgramModels(
  endpoint: DeepgramEndpoint,
  signal: AbortSignal,
): Promise<ListedModel[]> {
  const { stt } = await fetchModelList({
    vendor: endpoint.vendor,
    url: `${endpoint.baseUrl}/models`,
    limits: endpoint.limits,
    headers: deepgramHeaders(endpoint),
    signal,
    schema: modelList,
    refuse: (status, text, headers) => refuseDeepgram(endpoint.vendor, status, text, headers),
  });
  const names = stt.filter(({ batch }) => batch !== false).map((each) => each.canonical_name);
  return [...new Set(names)].toSorted().map((id) => ({ id, name: id, organization: "Deepgram" }));
}

function endpoint(
  apiKey: string,
  { baseUrl = "https://api.deepgram.com/v1", limits }: EndpointOptions,
): DeepgramEndpoint {
  return {
    vendor: { name: "Deepgram", origin: readOrigin(baseUrl), secrets: [apiKey] },
    baseUrl,
    apiKey,
    limits: { ...hostedLimits, ...limits },
  };
}

export const deepgram: Vendor = {
  id: "deepgram",
  name: "Deepgram",
  group: "hosted",
  dataPolicyUrl: "https://deepgram.com/privacy",
  keyUrl: "https://console.deepgram.com",
  dictation: {
    fields: [
      { key: "STTDeepgramApiKey", label: "key", kind: "secret", required: true, check: notEmpty },
      {
        key: "STTDeepgramModel",
        label: "model",
        kind: "model",
        required: true,
        default: "nova-3",
        check: notEmpty,
      },
    ],
    create: (values, options) =>
      new DeepgramTranscriptionModel(
        endpoint(values.get("STTDeepgramApiKey"), options),
        values.get("STTDeepgramModel"),
      ),
    listModels: (values, options, signal) =>
      listDeepgramModels(endpoint(values.get("STTDeepgramApiKey"), options), signal),
  },
};
