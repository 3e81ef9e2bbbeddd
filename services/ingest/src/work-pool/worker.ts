import { parseFile } from "../parsing/parse-file.ts";
import { ProcessingRequiredError, UnreadableError } from "../parsing/parsed-document.ts";
import { prepareText } from "./prepare-text.ts";
import { splitWindow, termsOf } from "./split-window.ts";
import { startTaskClock, type TaskClock } from "./task-clock.ts";
import type { ParseResult, ParseTask, PreparedChunk, SplitTask, TermsTask } from "./work.ts";

/* Runs in a worker thread; piscina calls the exports by name. */

// Silences parsing libraries, which log every oddity of a file to the console: the reason contains
// what matters, and Carrel's log is JSON.
for (const name of ["log", "info", "warn", "error", "debug"] as const)
  console[name] = () => undefined;

interface Run<Task> {
  task: Task;
  clock: TaskClock;
}

export async function parse({ task, clock }: Run<ParseTask>): Promise<ParseResult> {
  startTaskClock(clock);
  try {
    const parsed = await parseFile(task, task.recognition);
    if (!task.split || parsed.parts === null)
      return { texts: [{ name: null, text: prepareText(parsed, task.title, task.chunking) }] };
    return {
      texts: parsed.parts.map((part) => ({
        name: part.name,
        text: prepareText(
          { ...parsed, ...part },
          `${task.title} - Sheet:${part.name}`,
          task.chunking,
        ),
      })),
    };
  } catch (fault) {
    // Error classes don't survive structured cloning.
    if (fault instanceof UnreadableError) return { fault: fault.fault, curable: fault.curable };
    if (fault instanceof ProcessingRequiredError) return { work: fault.work, pages: fault.pages };
    throw fault;
  }
}

export function split({ task, clock }: Run<SplitTask>): PreparedChunk[] {
  startTaskClock(clock);
  return splitWindow(task);
}

export function terms({ task, clock }: Run<TermsTask>): string[] {
  startTaskClock(clock);
  return termsOf(task);
}
