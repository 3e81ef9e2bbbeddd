import { readlinkSync } from "node:fs";
import { getPriority, setPriority } from "node:os";
import path from "node:path";
import type { MessagePort } from "node:worker_threads";

/*
 * Linux gives each thread a priority of its own. It can be lowered, but only root may raise it again,
 * so a thread of low priority is ended once it has done its task.
 */

/** A quarter of what an ordinary thread gets while both want a core. */
const lowNice = 5;
const isLinux = process.platform === "linux";

/** What a thread and the pool share about a task. */
export interface Running {
  /** The thread's id in the system, 0 if unknown, and whether its priority is low. */
  state: Int32Array<SharedArrayBuffer>;
  /** Takes the result if the priority is low. */
  port: MessagePort;
}
export const makeState = (): Running["state"] => new Int32Array(new SharedArrayBuffer(8));

/** Called by the pool. */
export function lowerPriority(state: Running["state"]): void {
  const id = Atomics.load(state, 0);
  if (id === 0) return;
  try {
    setPriority(id, lowNice);
    Atomics.store(state, 1, 1);
  } catch {
    // The thread has ended, or the system doesn't allow it.
  }
}

export const hasLowPriority = (state: Running["state"]): boolean => Atomics.load(state, 1) === 1;

const ordinaryNice = isLinux ? getPriority() : 0;

/** Runs a task in a thread. The pool must end a thread whose result comes through the port. */
export async function runTask<Result>(
  { state, port }: Running,
  work: () => Result | Promise<Result>,
): Promise<Result> {
  if (isLinux) {
    Atomics.store(state, 0, Number(path.basename(readlinkSync("/proc/thread-self"))));
    if (getPriority() > ordinaryNice) Atomics.store(state, 1, 1);
  }
  const result = await work();
  if (!hasLowPriority(state)) return result;
  port.postMessage(result);
  return new Promise(() => undefined);
}
