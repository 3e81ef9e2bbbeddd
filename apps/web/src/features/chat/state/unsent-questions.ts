import type { ChatMode, TurnWire } from "@carrel/contracts";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { makeRequestKey } from "../../../lib/trace.ts";
import { readDraft, restoreToComposer, writeDraft } from "./draft.ts";
import type { QuestionChoices } from "./mentions.ts";
import { addPending, failPending } from "./pending-questions.ts";

/** A question that the server hasn't confirmed. Stored without its pictures, which may be large. */
export interface UnsentQuestion {
  message: string;
  mode: ChatMode;
  /** The newest turn when it was asked; null if none was known. */
  newest: number | null;
  /** What was chosen with `@` for it. */
  choices?: QuestionChoices | null | undefined;
  /** The server refused it, so it needs editing rather than sending again. */
  isRefused?: boolean;
  /** The key it was sent with; missing once the server has replied. */
  requestKey?: string | undefined;
}

/** Stored next to the drafts, so that whatever deletes drafts also deletes these. */
const storedAs = (key: string): string => `${key}#unsent`;
const isUnsent = (value: unknown): value is UnsentQuestion =>
  typeof value === "object" &&
  value !== null &&
  "message" in value &&
  typeof value.message === "string" &&
  "mode" in value &&
  (value.mode === "chat" || value.mode === "query" || value.mode === "automatic") &&
  "newest" in value &&
  (value.newest === null || typeof value.newest === "number") &&
  (!("requestKey" in value) || typeof value.requestKey === "string");

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

/**
 * Stores a question until `dropUnsent`: it survives a reload. Returns the key to send it under,
 * which is the same as before if it may have arrived then.
 */
export function keepUnsent(key: string, question: UnsentQuestion): string {
  const { message } = question;
  own.add(nameOf(key, message));
  const before = readUnsent(key).find((each) => each.message === message);
  const requestKey = before?.requestKey ?? makeRequestKey();
  store(key, [...others(key, message), { ...question, requestKey }]);
  return requestKey;
}
function change(key: string, message: string, changes: Partial<UnsentQuestion>): void {
  const questions = readUnsent(key);
  store(
    key,
    questions.map((each) => (each.message === message ? { ...each, ...changes } : each)),
  );
}
/** Call this if the request failed: after a reload, the question then moves to the composer. */
export const noteFailed = (key: string, message: string): void =>
  change(key, message, { isRefused: true });
/** Call this if the server refused to answer: it would refuse again under the same key. */
export const noteRefused = (key: string, message: string): void =>
  change(key, message, { isRefused: true, requestKey: undefined });
/** Call this once the server has it, or when it is discarded. */
export const dropUnsent = (key: string, message: string): void => store(key, others(key, message));

/** Threads whose questions were restored since the page was loaded. */
const restored = new Set<string>();

/**
 * The questions that an earlier page of this browser left unsent, once per thread and page.
 * Questions that did arrive, according to the thread's turns, are dropped.
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

/**
 * Shows the questions that an earlier page of this browser left unsent, once the thread's turns are
 * known, so that the person can send or discard them.
 */
export function useUnsentQuestions(
  key: string,
  slug: string,
  threadSlug: string | null,
  turns: readonly TurnWire[] | null,
): void {
  const { t } = useTranslation("chat");
  useEffect(() => {
    if (turns === null) return;
    for (const { message, mode, choices = null, isRefused } of restoreUnsent(key, turns)) {
      if (isRefused) {
        dropUnsent(key, message);
        restoreToComposer(key, message);
        continue;
      }
      const id = addPending(key, { slug, threadSlug, message, mode, choices });
      failPending(key, id, t("notSent"), true);
    }
  }, [key, slug, threadSlug, turns, t]);
}
