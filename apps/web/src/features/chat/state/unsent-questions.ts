import type { TurnWire } from "@carrel/contracts";
import { readDraft, writeDraft } from "./draft.ts";

/** A question that the server hasn't confirmed. Stored without its pictures, which may be large. */
export interface UnsentQuestion {
  message: string;
  mode: "chat" | "query";
  /** The newest turn when it was asked; null if none was known. */
  newest: number | null;
  /** The server refused it, so it needs editing rather than sending again. */
  isRefused?: boolean;
}

/** Stored next to the drafts, so that whatever deletes those deletes these. */
const storedAs = (key: string): string => `${key}#unsent`;
const isUnsent = (value: unknown): value is UnsentQuestion =>
  typeof value === "object" &&
  value !== null &&
  "message" in value &&
  typeof value.message === "string" &&
  "mode" in value &&
  (value.mode === "chat" || value.mode === "query") &&
  "newest" in value &&
  (value.newest === null || typeof value.newest === "number");

/** The thread's unsent questions, oldest first. */
export function readUnsent(key: string): UnsentQuestion[] {
  try {
    const value: unknown = JSON.parse(readDraft(storedAs(key)) || "[]");
    return Array.isArray(value) ? value.filter(isUnsent) : [];
  } catch {
    return []; // not ours or truncated
  }
}

function store(key: string, questions: readonly UnsentQuestion[]): void {
  writeDraft(storedAs(key), questions.length === 0 ? "" : JSON.stringify(questions));
}
const others = (key: string, message: string): UnsentQuestion[] =>
  readUnsent(key).filter((each) => each.message !== message);

/** Questions that this page is sending. */
const own = new Set<string>();
const nameOf = (key: string, message: string): string => `${key} ${message}`;

/** Stores a question until `dropUnsent`: it survives a reload. */
export function keepUnsent(key: string, question: UnsentQuestion): void {
  own.add(nameOf(key, question.message));
  store(key, [...others(key, question.message), question]);
}
/** Call if the server refused it: it then moves to the composer after a reload. */
export const noteRefused = (key: string, message: string): void =>
  store(
    key,
    readUnsent(key).map((each) => (each.message === message ? { ...each, isRefused: true } : each)),
  );
/** Call once the server has it, or when it is discarded. */
export const dropUnsent = (key: string, message: string): void => store(key, others(key, message));

/** Threads whose questions were restored since the page was loaded. */
const restored = new Set<string>();

/**
 * The questions that an earlier page of this browser left unsent, once per thread and page. Those
 * that did arrive, according to the thread's turns, are dropped.
 */
export function restoreUnsent(key: string, turns: readonly TurnWire[]): UnsentQuestion[] {
  if (restored.has(key)) return [];
  restored.add(key);
  const hasArrived = ({ message, newest }: UnsentQuestion): boolean =>
    turns.some((turn) => turn.question === message && turn.id > (newest ?? 0));
  const left = readUnsent(key).filter(({ message }) => !own.has(nameOf(key, message)));
  for (const question of left) if (hasArrived(question)) dropUnsent(key, question.message);
  return left.filter((question) => !hasArrived(question));
}
