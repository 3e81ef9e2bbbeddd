import type { ParseTask, PrepareTask, SplitTask, TermsTask } from "./work.ts";

export type Task = ParseTask | PrepareTask | SplitTask | TermsTask;

/** Up to this size, a task rarely takes long, so a file is parsed at once. */
const smallSize = 50_000;

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
