import { notEmpty } from "@carrel/contracts";
import type { DeepgramEndpoint } from "../deepgram/deepgram-endpoint.ts";
import { DeepgramTranscriptionModel } from "../deepgram/deepgram-transcription-model.ts";
import { listDeepgramModels } from "../deepgram/list-deepgram-models.ts";
import { readOrigin } from "../http/read-origin.ts";
import { hostedLimits } from "../http/run-request.ts";
import type { EndpointOptions, Vendor } from "./vendor.ts";

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
