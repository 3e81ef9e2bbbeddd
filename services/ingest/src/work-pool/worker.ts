import path from "node:path/posix";
import { countTokens } from "gpt-tokenizer/encoding/cl100k_base";
import { parseFile } from "../parsing/parse-file.ts";
import {
  ProcessingRequiredError,
  UnreadableError,
  watchPages,
  type ParsedText,
} from "../parsing/parsed-document.ts";
import { detectDocumentLanguage, splitWindow, termsOf } from "./split-window.ts";
import { countPage, lowerPriority, startTaskClock, type TaskClock } from "./task-clock.ts";
import {
  isSmall,
  windowLength,
  type Chunking,
  type ParseResult,
  type ParseTask,
  type PrepareTask,
  type PreparedChunk,
  type PreparedText,
  type SplitTask,
  type Task,
  type TermsTask,
  type TextPart,
  type WholeText,
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
          // The whole file's notes already include those of all parts.
          { ...parsed, notes: [], ...part, ...part.file },
          part.file ? path.basename(part.name) : `${task.title} - Sheet:${part.name}`,
          // Separate jobs split the documents of further parts.
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

/** Length of the parts in which text is stored; a passage spans one or two of them. */
const partLength = 16_384;
/**
 * Tokens of longer texts are estimated from samples spread over the text: the wire calls the count
 * an estimate, and an exact count takes half as long as splitting.
 */
const tokenSample = { pieces: 8, length: 500 };

function cutParts(text: string): TextPart[] {
  const parts: TextPart[] = [];
  for (let start = 0; start < text.length;) {
    let end = Math.min(text.length, start + partLength);
    // Never splits a surrogate pair: each part must be valid text for PostgreSQL.
    if (end < text.length && (text.charCodeAt(end) & 0xfc00) === 0xdc00) end -= 1;
    parts.push({ start, text: text.slice(start, end) });
    start = end;
  }
  return parts;
}

const word =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{N}][\p{L}\p{M}\p{N}'’_-]*/gu;
const isAsciiLetter = (code: number): boolean =>
  (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57);
/** Apostrophe, hyphen and underscore. */
const joinsWord = (code: number): boolean => code === 39 || code === 45 || code === 95;

/** Counts words; each Han or Kana character counts as one. */
function countWords(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length;) {
    const code = text.charCodeAt(at);
    let end = at;
    if (isAsciiLetter(code))
      do end++;
      while (isAsciiLetter(text.charCodeAt(end)) || joinsWord(text.charCodeAt(end)));
    // The expression is slower, so it only sees what is not ASCII.
    if (code >= 0x80 || (end > at && text.charCodeAt(end) >= 0x80)) {
      word.lastIndex = at;
      if (!word.test(text)) return count;
      end = word.lastIndex;
    } else if (end === at) {
      at++;
      continue;
    }
    count++;
    at = end;
  }
  return count;
}

function estimateTokens(text: string): number {
  // Special tokens in a document are ordinary text.
  const count = (sample: string): number => countTokens(sample, { disallowedSpecial: new Set() });
  const { pieces, length } = tokenSample;
  if (text.length <= pieces * length) return count(text);
  const step = (text.length - length) / (pieces - 1);
  const samples = Array.from({ length: pieces }, (_, n) =>
    text.slice(Math.floor(n * step), Math.floor(n * step) + length).toWellFormed(),
  );
  return Math.round(
    (samples.reduce((sum, sample) => sum + count(sample), 0) / (pieces * length)) * text.length,
  );
}

/** Everything stored about a parsed file, including its chunks if it is short enough. */
export function prepareText(
  parsed: WholeText,
  title: string,
  chunking: Chunking | null,
): PreparedText {
  return {
    mime: parsed.mime,
    docSource: parsed.docSource,
    parts: cutParts(parsed.text),
    textLength: parsed.text.length,
    headings: parsed.headings,
    pages: parsed.pages,
    wordCount: countWords(parsed.text),
    tokenCount: estimateTokens(parsed.text),
    notes: parsed.notes ?? [],
    chunks:
      chunking === null || parsed.text.length > windowLength
        ? null
        : splitWindow({
            text: parsed.text,
            offset: 0,
            title,
            headings: parsed.headings,
            pages: parsed.pages,
            chunking,
            language: detectDocumentLanguage(parsed.text),
          }),
  };
}
