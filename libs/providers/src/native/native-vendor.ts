import { embeddingDownloadKey, notEmpty } from "@carrel/contracts";
import type { SettingValues } from "../setting-values.ts";
import type { Vendor } from "../vendors/vendor.ts";
import { NativeEmbeddingModel } from "./native-embedding-model.ts";
import { findNativeModel, nativeModels, type NativeModel } from "./native-models.ts";

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
