import { access } from "node:fs/promises";
import { basename, join } from "node:path";
import type { NativeModel } from "./native-models.ts";

export interface ModelFiles {
  modelPath: string;
  tokenizerPath: string;
}

/**
 * The quantised model comes first: it is faster, and the one we download. The hub keeps them in an
 * `onnx` folder.
 */
const modelNames = [
  "model_quantized.onnx",
  "model.onnx",
  join("onnx", "model_quantized.onnx"),
  join("onnx", "model.onnx"),
];

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

/** The model's download folder. Ids come from `nativeModels`, never from user input. */
export const modelFolder = (modelsDir: string, model: Pick<NativeModel, "id">): string =>
  join(modelsDir, model.id);

/**
 * The model's files in the models folder, under its full or short name; null if some are missing.
 */
export async function findModelFiles(
  modelsDir: string,
  model: Pick<NativeModel, "id">,
): Promise<ModelFiles | null> {
  for (const folder of [modelFolder(modelsDir, model), join(modelsDir, basename(model.id))]) {
    const tokenizerPath = join(folder, "tokenizer.json");
    if (!(await exists(tokenizerPath))) continue;
    for (const name of modelNames)
      if (await exists(join(folder, name))) return { modelPath: join(folder, name), tokenizerPath };
  }
  return null;
}
