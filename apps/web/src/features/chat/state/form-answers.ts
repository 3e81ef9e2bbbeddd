import type { FormAnswer, FormQuestion } from "@carrel/contracts";
import { createStore, useStore } from "../../../lib/store.ts";

/** What a person has entered for one question so far. */
export interface FormEntry {
  text: string;
  chosen: readonly string[];
  /** Other than the options; null: not chosen. */
  other: string | null;
}

const blank: FormEntry = { text: "", chosen: [], other: null };
/** By form. Kept outside the rows, which unmount when they leave the viewport. */
const entries = createStore<Readonly<Record<string, readonly FormEntry[]>>>({});
const none: readonly FormEntry[] = [];

export const useEntries = (form: string): readonly FormEntry[] =>
  useStore(entries, (value) => value[form] ?? none);
export const entryOf = (known: readonly FormEntry[], index: number): FormEntry =>
  known[index] ?? blank;

export function changeEntry(form: string, index: number, change: Partial<FormEntry>): void {
  entries.set((value) => {
    const next = [...(value[form] ?? [])];
    for (let at = 0; at <= index; at += 1) next[at] ??= blank;
    next[index] = { ...next[index]!, ...change };
    return { ...value, [form]: next };
  });
}

/** The answer to send; null if the question was left empty. */
export function answerOf(question: FormQuestion, entry: FormEntry): FormAnswer | null {
  if (question.kind === "input") return entry.text.trim() || null;
  const other = entry.other?.trim() ?? "";
  const chosen = [...entry.chosen, ...(other === "" ? [] : [other])];
  if (chosen.length === 0) return null;
  return question.multiSelect ? chosen : chosen[0]!;
}
