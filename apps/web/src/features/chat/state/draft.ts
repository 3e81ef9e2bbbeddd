import { useEffect, useState } from "react";
import { keys, readStored, writeStored } from "../../../lib/session-storage.ts";
import { createStore, useStore } from "../../../lib/store.ts";

/** The edit in progress. Kept outside the rows, which unmount when they leave the viewport. */
interface Editing {
  key: string;
  part: "question" | "answer";
  text: string;
}
const editing = createStore<Editing | null>(null);

export const startEditing = (key: string, part: Editing["part"], text: string): void =>
  editing.set(() => ({ key, part, text }));
export const updateEditing = (text: string): void =>
  editing.set((value) => value && { ...value, text });
/** Ends the edit and moves focus back to the composer. */
export function endEditing(): void {
  editing.set(() => null);
  requestAnimationFrame(() =>
    document.querySelector<HTMLElement>("[data-composer] textarea")?.focus({ preventScroll: true }),
  );
}
/** The current text of the edit; null if this part of this turn is not being edited. */
export const useEditedText = (key: string, part: Editing["part"]): string | null =>
  useStore(editing, (value) => (value?.key === key && value.part === part ? value.text : null));

function readAll(): Record<string, string> {
  try {
    const value: unknown = JSON.parse(readStored(keys.drafts) ?? "{}");
    return typeof value === "object" && value !== null ? (value as Record<string, string>) : {};
  } catch {
    return {}; // not ours or truncated: no drafts
  }
}

/** The unsent draft of a thread; it survives reloads and errors. */
export const readDraft = (key: string): string => {
  const text = readAll()[key];
  return typeof text === "string" ? text : "";
};

export function writeDraft(key: string, text: string): void {
  const { [key]: _, ...others } = readAll();
  writeStored(keys.drafts, JSON.stringify(text ? { ...others, [key]: text } : others));
}

const restored = createStore<{ key: string; text: string } | null>(null);
/** Returns a text to the thread's composer unless something else was typed in the meantime. */
export function restoreToComposer(key: string, text: string): void {
  // For a field that is about to remount, for example when a chat becomes empty.
  if (!readDraft(key)) writeDraft(key, text);
  restored.set(() => ({ key, text }));
}
/** The text returned to this composer; a new object each time. */
const useRestored = (key: string): { key: string; text: string } | null =>
  useStore(restored, (value) => (value?.key === key ? value : null));

/** The text of a message field, which survives a reload; a question that failed returns to it. */
export function useDraft(key: string): [text: string, setText: (text: string) => void] {
  const [text, setText] = useState(() => readDraft(key));
  useEffect(() => writeDraft(key, text), [key, text]);
  const restored = useRestored(key);
  const [handled, setHandled] = useState(restored);
  if (restored !== handled) {
    setHandled(restored);
    if (restored && text === "") setText(restored.text);
  }
  return [text, setText];
}
