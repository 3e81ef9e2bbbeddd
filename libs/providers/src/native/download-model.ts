import { access, mkdir, open, rm, stat, utimes } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { createHubClient, downloadHubFile, sizeOf } from "./hub-file.ts";
import type { NativeModel } from "./native-models.ts";

export { defaultHub } from "./hub-file.ts";

interface ModelFiles {
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
const modelFolder = (modelsDir: string, model: Pick<NativeModel, "id">): string =>
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

export interface RemoteFile {
  /** Path on the hub. */
  remote: string;
  /** Path in the model's folder. */
  local: string;
}

/** The model itself comes last, so a folder that contains it is complete. */
const singleModelFiles: readonly RemoteFile[] = [
  { remote: "config.json", local: "config.json" },
  { remote: "tokenizer_config.json", local: "tokenizer_config.json" },
  { remote: "tokenizer.json", local: "tokenizer.json" },
  { remote: "onnx/model_quantized.onnx", local: "model_quantized.onnx" },
];
const downloadLimits = { maxBytes: 2_000_000_000, timeoutMs: 30 * 60_000 };
/** An older lock belongs to a dead process. */
const staleLockMs = 60_000;

export interface DownloadOptions {
  hub: string;
  signal: AbortSignal;
  /** Share of the model files downloaded, 0 to 1. */
  onProgress(share: number): void;
  /** For models with several files (Whisper): all files, and whether they are there. */
  parts?: { files: readonly RemoteFile[]; isComplete(): Promise<boolean> };
}

/** Runs `work` in one process at a time and waits while another process runs it. */
async function withLock(
  path: string,
  signal: AbortSignal,
  isDone: () => Promise<boolean>,
  work: (renew: () => void) => Promise<void>,
): Promise<void> {
  for (;;) {
    signal.throwIfAborted();
    try {
      await (await open(path, "wx")).close();
      break;
    } catch (fault) {
      if ((fault as NodeJS.ErrnoException | null)?.code !== "EEXIST") throw fault;
      const age = await stat(path).then(
        ({ mtimeMs }) => Date.now() - mtimeMs,
        () => 0,
      );
      if (age > staleLockMs) await rm(path, { force: true });
      else await wait(1_000, undefined, { signal });
      if (await isDone()) return;
    }
  }
  let renewed = Date.now();
  try {
    await work(() => {
      if (Date.now() - renewed < staleLockMs / 4) return;
      renewed = Date.now();
      // Only a heartbeat; if the lock file is gone, another process has taken over.
      utimes(path, new Date(), new Date()).catch(() => undefined);
    });
  } finally {
    await rm(path, { force: true });
  }
}

/**
 * Downloads the model's files to the models folder. Throws if the hub is unreachable or sends
 * something else.
 */
export async function downloadModel(
  modelsDir: string,
  model: Pick<NativeModel, "id">,
  options: DownloadOptions,
): Promise<void> {
  const folder = modelFolder(modelsDir, model);
  await mkdir(folder, { recursive: true });
  const client = createHubClient(options.hub, downloadLimits);
  const { files: remoteFiles, isComplete: isDone } = options.parts ?? {
    files: singleModelFiles,
    isComplete: async () => (await findModelFiles(modelsDir, model)) !== null,
  };
  const models = remoteFiles.filter(({ local }) => local.endsWith(".onnx"));
  await withLock(join(folder, "download.lock"), options.signal, isDone, async (renew) => {
    let revision = "main";
    for (const file of remoteFiles) {
      const { remote, local } = file;
      const target = join(folder, local);
      if ((await sizeOf(target)) > 0) continue;
      await mkdir(dirname(target), { recursive: true });
      const before = models.indexOf(file);
      const { commit } = await downloadHubFile(
        client,
        `${options.hub}/${model.id}/resolve/${revision}/${remote}`,
        target,
        {
          signal: options.signal,
          onBytes: (done, total) => {
            renew();
            if (before >= 0 && total)
              options.onProgress((before + Math.min(1, done / total)) / models.length);
          },
        },
      );
      // All files come from one commit, even if the hub's branch moves meanwhile.
      if (commit && /^[0-9a-f]{40}$/.test(commit)) revision = commit;
    }
  });
}
