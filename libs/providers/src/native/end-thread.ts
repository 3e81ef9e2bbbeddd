import type { Worker } from "node:worker_threads";

/** Tells a model's thread to end. */
const endMessage = { end: true };
/** A single model call takes less, even on a busy machine. */
const limitMs = 8_000;

/**
 * Ends a thread that runs a model. The thread ends itself between two model calls, because
 * `terminate()` during one aborts the whole process: its native code can no longer hand over the
 * result (`Napi::Error`). A thread that is still busy after the limit is left alone, or terminated
 * with `force`, for a thread that may hang in JavaScript.
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
