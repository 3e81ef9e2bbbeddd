import { readFileSync, readlinkSync } from "node:fs";
import { getPriority, setPriority } from "node:os";
import path from "node:path";

/*
 * The CPU time of a task in a thread, read by the pool while the thread is busy. By elapsed time,
 * ordinary files would become long ones on a busy machine; that is the fallback where the system
 * doesn't report the CPU time of another thread.
 */

const isLinux = process.platform === "linux";
/** Linux counts a process's time in ticks of 10 ms. */
const tickMs = 10;

/** Added to a thread's niceness: it gets a tenth of the time that others get if they need it. */
const addedNiceness = 10;

const unknown = -1;

/**
 * The thread's id in the system, 0 until the task has begun, its CPU time by then, in ms, and how many
 * pages of the file have been read. The id is `unknown` without /proc.
 */
export type TaskClock = Int32Array<SharedArrayBuffer>;
export const makeTaskClock = (): TaskClock => new Int32Array(new SharedArrayBuffer(12));
export const countPage = (clock: TaskClock): void => void Atomics.add(clock, 2, 1);
export const pagesRead = (clock: TaskClock): number => Atomics.load(clock, 2);

/** Called by the thread when a task begins. */
export function startTaskClock(clock: TaskClock): void {
  if (!isLinux) return;
  try {
    const { user, system } = process.threadCpuUsage();
    Atomics.store(clock, 1, Math.round((user + system) / 1_000));
    Atomics.store(clock, 0, Number(path.basename(readlinkSync("/proc/thread-self"))));
  } catch {
    Atomics.store(clock, 0, unknown);
  }
}

/** The task's CPU time so far in ms; null where the system doesn't report it. */
export function readTaskClock(clock: TaskClock): number | null {
  if (!isLinux) return null;
  const id = Atomics.load(clock, 0);
  if (id === 0) return 0;
  if (id === unknown) return null;
  try {
    const stat = readFileSync(`/proc/self/task/${id}/stat`, "utf8");
    // After the name, which is in brackets: fields 14 and 15, utime and stime.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return (Number(fields[11]) + Number(fields[12])) * tickMs - Atomics.load(clock, 1);
  } catch {
    return 0; // the thread has ended
  }
}

/** Gives other threads priority while a task runs; called by any thread. */
export function lowerPriority(clock: TaskClock): void {
  changePriority(clock, addedNiceness);
}

/** Restores the priority, where the system allows users to raise it. */
export function restorePriority(clock: TaskClock): void {
  changePriority(clock, 0);
}

function changePriority(clock: TaskClock, added: number): void {
  const id = Atomics.load(clock, 0);
  if (!isLinux || id <= 0) return;
  try {
    // Linux takes the id of a thread, too.
    setPriority(id, Math.min(19, getPriority(process.pid) + added));
  } catch {
    // The thread has ended, or users may not raise a priority.
  }
}
