import type { ModelChoice, QuestionMention, RetrievalPlaces } from "@carrel/contracts";
import { createStore, useStore } from "../../../lib/store.ts";

/** Something chosen with `@` that a question is about or answered by. */
export type Mention =
  | { kind: "document"; id: string; name: string }
  | { kind: "folder"; id: string; name: string }
  | { kind: "model"; id: string; name: string; choice: ModelChoice };

/** What was chosen with `@` for one question. */
export interface QuestionChoices {
  /** The names shown with the question. */
  mentions: QuestionMention[];
  /** What is searched and which model answers, if not the usual. */
  places: RetrievalPlaces | null;
  modelChoice: ModelChoice | null;
}

/** By thread: mentions in the question being written there. */
const mentions = createStore<Record<string, readonly Mention[]>>({});
const none: readonly Mention[] = [];

export const useMentions = (key: string): readonly Mention[] =>
  useStore(mentions, (value) => value[key] ?? none);

const change = (key: string, step: (before: readonly Mention[]) => readonly Mention[]): void =>
  mentions.set((value) => ({ ...value, [key]: step(value[key] ?? none) }));

const isSame = (one: Mention, other: Mention): boolean =>
  one.kind === other.kind && (one.kind === "model" || one.id === other.id);

/** A question has only one model, so another one replaces it. */
export const addMention = (key: string, mention: Mention): void =>
  change(key, (before) => [...before.filter((each) => !isSame(each, mention)), mention]);

export const removeMention = (key: string, mention: Mention): void =>
  change(key, (before) => before.filter((each) => each !== mention));

/** Removes the last one; false if there is none. */
export function removeLastMention(key: string): boolean {
  const last = mentions.get()[key]?.at(-1);
  if (last) removeMention(key, last);
  return last !== undefined;
}

/** The restrictions of a question that is being sent; clears the composer's. */
export function takeMentions(key: string): QuestionChoices | null {
  const taken = mentions.get()[key] ?? none;
  if (taken.length === 0) return null;
  change(key, () => none);
  const idsOf = (kind: "document" | "folder"): string[] =>
    taken.flatMap((each) => (each.kind === kind ? each.id : []));
  const places = { documentIds: idsOf("document"), folders: idsOf("folder") };
  return {
    mentions: taken.map(({ kind, name }) => ({ kind, name })),
    places: places.documentIds.length + places.folders.length > 0 ? places : null,
    modelChoice: taken.find((each) => each.kind === "model")?.choice ?? null,
  };
}

/** Whether a question is for the agent, as existing clients ask it. */
export const isForAgent = (text: string): boolean => /^@agent\b/.test(text);

/**
 * The word between an `@` and the caret, or null. `@agent` at the start is a command of existing
 * clients.
 */
export function mentionBefore(text: string, caret: number): string | null {
  const typed = /(?:^|\s)@([^\s@]{0,60})$/.exec(text.slice(Math.max(0, caret - 64), caret))?.[1];
  return typed === undefined || isForAgent(text) ? null : typed;
}
