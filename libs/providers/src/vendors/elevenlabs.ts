import { notEmpty } from "@carrel/contracts";
import type { ElevenLabsEndpoint } from "../elevenlabs/elevenlabs-endpoint.ts";
import { ElevenLabsSpeechModel } from "../elevenlabs/elevenlabs-speech-model.ts";
import {
  defaultVoice,
  knownElevenLabsVoices,
  listElevenLabsVoices,
} from "../elevenlabs/list-elevenlabs-voices.ts";
import { readOrigin } from "../http/read-origin.ts";
import { hostedLimits } from "../http/run-request.ts";
import type { EndpointOptions, Vendor } from "./vendor.ts";

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
