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
