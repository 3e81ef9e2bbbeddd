import { access } from "node:fs/promises";
import { basename, join } from "node:path";
import type { RemoteFile } from "./download-model.ts";

/**
 * Whisper models that run in this process, the default first; ids are the same as on the wire and
 * on the hub.
 */
export const whisperModels = ["Xenova/whisper-small", "Xenova/whisper-large"] as const;

const onnxFiles = ["encoder_model_quantized.onnx", "decoder_model_merged_quantized.onnx"];
/** Under the hub's own names, because the library that runs the model looks for them. */
export const whisperFiles: readonly RemoteFile[] = [
  "config.json",
  "generation_config.json",
  "preprocessor_config.json",
  "tokenizer_config.json",
  "tokenizer.json",
  ...onnxFiles.map((name) => `onnx/${name}`),
].map((name) => ({ remote: name, local: name }));

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

/**
 * The model's folder within the models folder, under its full or short name; null if files are
 * missing.
 */
export async function findWhisperFolder(modelsDir: string, id: string): Promise<string | null> {
  for (const folder of [id, basename(id)]) {
    const present = whisperFiles.map(({ local }) => exists(join(modelsDir, folder, local)));
    if ((await Promise.all(present)).every(Boolean)) return folder;
  }
  return null;
}

export const isWhisperInstalled = async (modelsDir: string, id: string): Promise<boolean> =>
  (await findWhisperFolder(modelsDir, id)) !== null;
