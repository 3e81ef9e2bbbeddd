import { z } from "zod";
import { describeFault, retryAfter } from "../http/describe-fault.ts";
import { fetchModelList } from "../http/fetch-json.ts";
import { localLimits } from "../http/run-request.ts";
import { readOrigin } from "../setting-values.ts";
import { audioAddress, audioVoice, createSpeech } from "./audio-vendor.ts";
import { keyField } from "./chat-vendor.ts";
import type { Vendor } from "./vendor.ts";

/** Voices that existing clients run in the browser. */
export const piper: Vendor = {
  id: "piper_local",
  name: "Piper",
  group: "builtin",
  speech: {
    fields: [
      {
        key: "TTSPiperTTSVoiceModel",
        label: "voice",
        kind: "text",
        required: false,
        default: "en_US-hfc_female-medium",
      },
    ],
  },
};

const identity = { id: "kokoro", name: "Kokoro", group: "local" } as const;

/** Newer versions of Kokoro-FastAPI describe their voices; older ones only name them. */
const voiceList = z.object({
  voices: z.array(z.union([z.string(), z.object({ id: z.string() }).transform(({ id }) => id)])),
});

/** Kokoro-FastAPI (github.com/remsky/Kokoro-FastAPI, 0.4), with OpenAI's route for speech. */
export const kokoro: Vendor = {
  ...identity,
  speech: {
    ...createSpeech(identity, {
      fields: [
        audioAddress("TTSKokoroEndpoint", "http://127.0.0.1:8880/v1"),
        keyField("TTSKokoroKey", { required: false }),
        audioVoice("TTSKokoroVoiceModel", "af_bella"),
      ],
      model: "kokoro",
    }),
    async listModels(values, { limits }, signal) {
      const baseUrl = values.get("TTSKokoroEndpoint").replace(/\/+$/, "");
      const key = values.find("TTSKokoroKey");
      const vendor = {
        name: identity.name,
        origin: readOrigin(baseUrl),
        secrets: key === undefined ? [] : [key],
      };
      const { voices } = await fetchModelList({
        vendor,
        url: `${baseUrl}/audio/voices`,
        limits: { ...localLimits, ...limits },
        headers: key === undefined ? {} : { authorization: `Bearer ${key}` },
        signal,
        schema: voiceList,
        refuse: (status, text, headers) =>
          describeFault(vendor, {
            statusCode: status,
            message: text,
            retryAfterMs: retryAfter(headers),
          }),
      });
      return voices.map((id) => ({ id, name: id, organization: "Kokoro" }));
    },
  },
};
