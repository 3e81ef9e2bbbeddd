import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { access, mkdir, open, rename, rm, stat, utimes } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setTimeout as wait } from "node:timers/promises";
import { createContentClient, type ContentClient, type ContentStream } from "@carrel/egress";
import type { NativeModel } from "./native-models.ts";

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

export const defaultHub = "https://huggingface.co";
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
const downloadLimits = { maxBytes: 2_000_000_000, timeoutMs: 30 * 60_000, maxRedirects: 5 };
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

/** Size and hash of a file according to the hub. */
interface Expected {
  bytes: number | null;
  hash: string | null;
  commit: string | null;
}

/**
 * `x-linked-etag` is the SHA-256 of a large file, sent with the redirect to the hub's storage; the
 * `etag` of a small file is its git blob id (SHA-1). The revision is not pinned, because no hash
 * could be verified (docs/decisions/model-providers.md).
 */
function expectedOf({ headers, redirects }: ContentStream): Expected {
  const all = [...redirects, headers];
  const first = (name: string) =>
    all.map((set) => set.get(name)).find((value) => value !== null) ?? null;
  const etag = (first("x-linked-etag") ?? headers.get("etag") ?? "")
    .replace(/^W\//, "")
    .replaceAll('"', "");
  const size = Number(
    first("x-linked-size") ??
      headers.get("content-range")?.split("/")[1] ??
      headers.get("content-length") ??
      Number.NaN,
  );
  return {
    bytes: Number.isFinite(size) ? size : null,
    hash: /^(?:[0-9a-f]{64}|[0-9a-f]{40})$/.test(etag) ? etag : null,
    commit: first("x-repo-commit"),
  };
}

async function hashFile(path: string, bytes: number, expected: string): Promise<string> {
  const hash = createHash(expected.length === 64 ? "sha256" : "sha1");
  if (expected.length === 40) hash.update(`blob ${bytes}\0`);
  for await (const piece of createReadStream(path)) hash.update(piece as Buffer);
  return hash.digest("hex");
}

const sizeOf = (path: string): Promise<number> =>
  stat(path).then(
    ({ size }) => size,
    () => 0,
  );

/** Resumes an earlier attempt and verifies the finished file against the hub's size and hash. */
async function downloadFile(
  client: ContentClient,
  url: string,
  target: string,
  options: DownloadOptions,
  onBytes: (done: number, total: number | null) => void,
): Promise<Expected> {
  const partial = `${target}.partial`;
  const have = await sizeOf(partial);
  let reply = await client.open(url, {
    signal: options.signal,
    ...(have > 0 && { headers: { range: `bytes=${have}-` } }),
  });
  if (reply.status === 416) {
    // The partial file is at least as long as the file: it is verified or deleted below.
    reply.body.destroy();
    reply = await client.open(url, { signal: options.signal });
  }
  if (reply.status !== 200 && reply.status !== 206) {
    reply.body.destroy();
    throw new Error(`the hub answered ${reply.status} for ${url}`);
  }
  const expected = expectedOf(reply);
  let done = reply.status === 206 ? have : 0;
  const counted = new Transform({
    transform(piece: Buffer, _encoding, next) {
      done += piece.length;
      onBytes(done, expected.bytes);
      next(null, piece);
    },
  });
  await pipeline(
    reply.body,
    counted,
    createWriteStream(partial, { flags: reply.status === 206 ? "a" : "w", flush: true }),
    { signal: options.signal },
  );
  const bytes = await sizeOf(partial);
  const wrong =
    (expected.bytes !== null && bytes !== expected.bytes) ||
    (expected.hash !== null && (await hashFile(partial, bytes, expected.hash)) !== expected.hash);
  if (wrong) {
    // A file that is too short may be resumed later; a complete but wrong one may not.
    if (expected.bytes === null || bytes >= expected.bytes) await rm(partial, { force: true });
    throw new Error(`what came for ${url} is not what the hub says it should be`);
  }
  await rename(partial, target);
  return expected;
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
  // A hub set by an admin may be in the intranet; the default one is on the public internet.
  const client = createContentClient({
    ...downloadLimits,
    allow: options.hub === defaultHub ? [] : [new URL(options.hub).hostname],
  });
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
      const { commit } = await downloadFile(
        client,
        `${options.hub}/${model.id}/resolve/${revision}/${remote}`,
        target,
        options,
        (done, total) => {
          renew();
          if (before >= 0 && total)
            options.onProgress((before + Math.min(1, done / total)) / models.length);
        },
      );
      // All files come from one commit, even if the hub's branch moves meanwhile.
      if (commit && /^[0-9a-f]{40}$/.test(commit)) revision = commit;
    }
  });
}
