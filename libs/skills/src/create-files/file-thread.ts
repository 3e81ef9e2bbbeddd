import { Worker } from "node:worker_threads";
import { ToolError } from "../tool.ts";
import type { FileJob, WrittenFile } from "./write-file.ts";

/** What a thread sends: the file, or what the model has to change. */
export type FileReply = WrittenFile | { message: string };

export const fileLimits = { milliseconds: 60_000, memoryMegabytes: 256 };

/** At the same time, in this process. */
const mostThreads = 2;
const mostWaiting = 32;

/** Node runs .ts in development and tests, and .js from dist. */
const isSource = import.meta.url.endsWith(".ts");
const workerFile = new URL(isSource ? "./file-worker.ts" : "./file-worker.js", import.meta.url);
const execArgv = isSource
  ? [
      "--conditions=@carrel/source",
      "--experimental-transform-types",
      "--disable-warning=ExperimentalWarning",
    ]
  : [];

let running = 0;
const waiting: (() => void)[] = [];

/**
 * Writes a file in a thread of its own, because a long one takes seconds. Throws ToolError, also if
 * it takes too much time or memory, or the signal's reason.
 */
export async function writeFileInThread(
  job: FileJob,
  signal: AbortSignal,
  limits = fileLimits,
): Promise<WrittenFile> {
  if (waiting.length >= mostWaiting)
    throw new ToolError("Too many files are being created right now. Try again later.");
  if (running >= mostThreads) await new Promise<void>((resolve) => waiting.push(resolve));
  else running += 1;
  try {
    signal.throwIfAborted();
    return await runThread(job, signal, limits);
  } finally {
    const next = waiting.shift();
    if (next === undefined) running -= 1;
    else next();
  }
}

async function runThread(
  job: FileJob,
  signal: AbortSignal,
  limits: typeof fileLimits,
): Promise<WrittenFile> {
  const worker = new Worker(workerFile, {
    execArgv,
    argv: [],
    env: {},
    name: "file",
    workerData: job,
    resourceLimits: { maxOldGenerationSizeMb: limits.memoryMegabytes },
  });
  const { promise, resolve, reject } = Promise.withResolvers<FileReply>();
  const tooMuch = (what: string): ToolError =>
    new ToolError(`Creating the file takes too much ${what}. Make it shorter, or several files.`);
  const late = setTimeout(() => reject(tooMuch("time")), limits.milliseconds);
  const onAbort = (): void => reject(signal.reason as Error);
  signal.addEventListener("abort", onAbort, { once: true });
  worker.once("message", resolve);
  worker.once("error", (error: NodeJS.ErrnoException) =>
    reject(error.code === "ERR_WORKER_OUT_OF_MEMORY" ? tooMuch("memory") : error),
  );
  worker.once("exit", () => reject(new Error("the thread has ended without a file")));
  try {
    const reply = await promise;
    if ("message" in reply) throw new ToolError(reply.message);
    return reply;
  } finally {
    clearTimeout(late);
    signal.removeEventListener("abort", onAbort);
    // An error after the first one, such as that of being ended, must not end the process.
    worker.on("error", () => undefined);
    await worker.terminate();
  }
}
