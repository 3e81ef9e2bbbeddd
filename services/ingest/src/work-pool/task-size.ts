import { smallSize } from "./fair-places.ts";
import type { ParseTask, PrepareTask, SplitTask, TermsTask } from "./work.ts";

export type Task = ParseTask | PrepareTask | SplitTask | TermsTask;

/** Bytes of a file, or characters of a text. */
export const sizeOf = (task: Task): number =>
  "bytes" in task
    ? task.bytes.byteLength
    : "text" in task
      ? task.text.length
      : "parsed" in task
        ? task.parsed.text.length
        : task.pieces.reduce((sum, { text }) => sum + text.length, 0);

export const isSmall = (task: Task): boolean => sizeOf(task) <= smallSize;
