import { keys, readStored, writeStored } from "../../../lib/session-storage.ts";
import { createStore, useStore } from "../../../lib/store.ts";

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

const unsentKey = (key: string): string => `${key}#unsent`;
/** Stores a question until the server has it; pass a blank text once it does. */
export const storeUnsent = (key: string, text: string): void => writeDraft(unsentKey(key), text);
/** After a reload, moves a question that never reached the server back to the draft. */
export function restoreUnsent(key: string): void {
  const text = readDraft(unsentKey(key));
  if (!text) return;
  storeUnsent(key, "");
  if (!readDraft(key)) writeDraft(key, text);
}

const restored = createStore<{ key: string; text: string } | null>(null);
/** Returns a text to the thread's composer unless something else was typed in the meantime. */
export function restoreToComposer(key: string, text: string): void {
  // For a field that is about to remount, as when a chat becomes empty.
  if (!readDraft(key)) writeDraft(key, text);
  restored.set(() => ({ key, text }));
}
/** The text returned to this composer; a new object each time. */
export const useRestored = (key: string): { key: string; text: string } | null =>
  useStore(restored, (value) => (value?.key === key ? value : null));
