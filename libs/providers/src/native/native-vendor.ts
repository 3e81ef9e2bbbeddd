import { embeddingDownloadKey, notEmpty, oneOf, quotingProvider } from "@carrel/contracts";
import type { SettingValues } from "../setting-values.ts";
import type { Vendor } from "../vendors/vendor.ts";
import { NativeEmbeddingModel } from "./native-embedding-model.ts";
import { findNativeModel, nativeModels, type NativeModel } from "./native-models.ts";
import { createWhisperModel } from "./whisper-model.ts";
import { whisperModels } from "./whisper-models.ts";

/** Quotes the documents; the chat service composes the answers. */
export const extractive: Vendor = {
  id: quotingProvider,
  name: "Quotes from your documents",
  group: "builtin",
  language: { fields: [] },
};

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

/** A model name left over from another embedder falls back to the default. */
const chooseModel = (values: SettingValues): NativeModel =>
  findNativeModel(values.find("EmbeddingModelPref")) ?? nativeModels[0]!;

/** ONNX models in this process. */
export const native: Vendor = {
  id: "native",
  name: "Built in",
  group: "builtin",
  // People's browsers read aloud and listen; there are no settings.
  speech: { name: "Your browser", fields: [] },
  dictation: { name: "Your browser", fields: [] },
  embedding: {
    triedWith: "all-MiniLM-L6-v2",
    fields: [
      {
        key: "EmbeddingModelPref",
        label: "model",
        kind: "select",
        required: false,
        default: nativeModels[0]!.id,
        options: nativeModels.map((model) => model.id),
        check: notEmpty,
      },
      {
        key: embeddingDownloadKey,
        label: "modelDownload",
        kind: "select",
        required: false,
        default: "on",
        options: ["on", "off"],
        advanced: true,
      },
    ],
    longestInput: (values) => chooseModel(values).maxInputCharacters,
    create: (values, { modelsDir, hub }) =>
      new NativeEmbeddingModel(
        chooseModel(values),
        modelsDir,
        values.find(embeddingDownloadKey) === "off" ? null : hub,
      ),
    listModels: () =>
      Promise.resolve(
        nativeModels.map(({ id, description, lang, size }) => ({
          id,
          name: id.slice(id.indexOf("/") + 1),
          description,
          lang,
          size,
          modelCard: `https://huggingface.co/${id}`,
        })),
      ),
  },
};
