import path from "node:path/posix";
import { watchPages } from "../parsing/page-progress.ts";
import { parseFile } from "../parsing/parse-file.ts";
import {
  ProcessingRequiredError,
  UnreadableError,
  type ParsedText,
} from "../parsing/parsed-document.ts";
import { prepareText } from "./prepare-text.ts";
import { splitWindow, termsOf } from "./split-window.ts";
import { countPage, lowerPriority, startTaskClock, type TaskClock } from "./task-clock.ts";
import { isSmall, type Task } from "./task-size.ts";
import type {
  ParseResult,
  ParseTask,
  PreparedChunk,
  PreparedText,
  PrepareTask,
  SplitTask,
  TermsTask,
} from "./work.ts";

/* Runs in a worker thread; piscina calls the exports by name. */

// Silences parsing libraries, which log every oddity of a file to the console: the reason contains
// what matters, and Carrel's log is JSON.
for (const name of ["log", "info", "warn", "error", "debug"] as const)
  console[name] = () => undefined;

interface Run<T extends Task> {
  task: T;
  clock: TaskClock;
}

function begin(task: Task, clock: TaskClock): void {
  startTaskClock(clock);
  if (!isSmall(task)) lowerPriority(clock);
}

export async function parse({ task, clock }: Run<ParseTask>): Promise<ParseResult> {
  begin(task, clock);
  watchPages(() => countPage(clock));
  try {
    const parsed = await parseFile(task, task.recognition);
    // Nobody reads them later.
    const { wordlessPages = 0, toRecognise = 0 } = parsed;
    if (!task.split && task.recognition === null && wordlessPages > 0)
      throw new ProcessingRequiredError("recognition", toRecognise);
    if (!task.split || parsed.parts === null) {
      const text = prepareText(parsed, task.title, task.chunking);
      return { texts: [{ name: null, text: task.split ? awaitPictures(text, parsed) : text }] };
    }
    return {
      texts: parsed.parts.map((part, n) => ({
        name: part.name,
        isMember: part.file !== undefined,
        text: prepareText(
          // The notes of the whole file are those of all parts.
          { ...parsed, notes: [], ...part, ...part.file },
          part.file ? path.basename(part.name) : `${task.title} - Sheet:${part.name}`,
          // The documents of further parts are split by jobs of their own.
          n === 0 ? task.chunking : null,
        ),
      })),
    };
  } catch (fault) {
    // Error classes don't survive structured cloning.
    if (fault instanceof UnreadableError) return { fault: fault.fault, curable: fault.curable };
    if (fault instanceof ProcessingRequiredError) {
      const { work, pages, mime } = fault;
      return { work, pages, mime };
    }
    throw fault;
  }
}

/** In a library, pictures that recognition may find text in are read after the text is stored. */
function awaitPictures(text: PreparedText, { toRecognise = 0 }: ParsedText): PreparedText {
  if (toRecognise === 0) return text;
  const notes = text.notes.map((note) =>
    note.code === "file-note.pictures-unread" ? { ...note, code: "file-note.pictures-due" } : note,
  );
  return { ...text, notes, toRecognise };
}

export function prepare({ task, clock }: Run<PrepareTask>): PreparedText {
  begin(task, clock);
  return prepareText(task.parsed, task.title, task.chunking);
}

export function split({ task, clock }: Run<SplitTask>): PreparedChunk[] {
  begin(task, clock);
  return splitWindow(task);
}

export function terms({ task, clock }: Run<TermsTask>): string[] {
  begin(task, clock);
  return termsOf(task);
}
