import { oneOf } from "@carrel/contracts";
import type { Vendor } from "../vendors/vendor.ts";
import { createWhisperModel } from "./whisper-model.ts";
import { whisperModels } from "./whisper-models.ts";

const models: string[] = [...whisperModels];

/** Whisper in this process. */
export const whisper: Vendor = {
  id: "local",
  name: "Whisper",
  phrase: "the built-in Whisper model",
  group: "builtin",
  transcription: {
    fields: [
      {
        key: "WhisperModelPref",
        label: "model",
        kind: "select",
        required: false,
        default: models[0]!,
        options: models,
        check: oneOf(models, "setting.whisper-model-unknown"),
      },
    ],
    create: (values, { modelsDir, hub }) =>
      createWhisperModel({ model: values.get("WhisperModelPref"), modelsDir, hub }),
  },
};
