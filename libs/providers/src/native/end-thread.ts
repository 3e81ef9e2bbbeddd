import type { Worker } from "node:worker_threads";

/** Tells a model's thread to end. */
const endMessage = { end: true };
/** A single call of a model takes less, even on a busy machine. */
const limitMs = 8_000;

/**
 * Ends a thread that runs a model. The thread does that itself between two calls of the model,
 * because `terminate()` during one aborts the whole process: its native code can't hand over the
 * result any more (`Napi::Error`). A thread that is still busy after the limit is left alone, or
 * with `force` terminated, for one that may hang in JavaScript.
 */
export async function endThread(worker: Worker, { force = false } = {}): Promise<void> {
  if (worker.threadId === -1) return; // has ended
  worker.ref();
  let timer: NodeJS.Timeout | undefined;
  const hasEnded = await Promise.race([
    new Promise<true>((resolve) => worker.once("exit", () => resolve(true))),
    new Promise<false>((resolve) => {
      timer = setTimeout(() => resolve(false), limitMs);
      worker.postMessage(endMessage);
    }),
  ]).finally(() => clearTimeout(timer));
  if (!hasEnded && force) await worker.terminate();
  else worker.unref();
}
