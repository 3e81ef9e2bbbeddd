import { access } from "node:fs/promises";
import { basename, join } from "node:path";
import type { RemoteFile } from "./download-model.ts";

/** A Whisper model that runs in this process; ids are those of the wire and of its hub. */
export interface WhisperModelInfo {
  id: string;
  description: string;
  /** Size of the quantised model, for display. */
  size: string;
}

/** The default first. */
export const whisperModels: readonly WhisperModelInfo[] = [
  {
    id: "Xenova/whisper-small",
    description: "Recognizes about 100 languages. Good for clear recordings.",
    size: "250 MB",
  },
  {
    id: "Xenova/whisper-large",
    description: "More accurate, but slow without a fast processor.",
    size: "1.6 GB",
  },
];

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
