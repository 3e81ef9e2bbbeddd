import { keys, readStored, writeStored } from "../../../lib/session-storage.ts";
import { createStore, useStore } from "../../../lib/store.ts";

function readAll(): Record<string, string> {
  try {
    const value: unknown = JSON.parse(readStored(keys.drafts) ?? "{}");
    return typeof value === "object" && value !== null ? (value as Record<string, string>) : {};
  } catch {
    return {}; // not ours or cut off: nothing typed is known
  }
}

/** What was typed in a thread and not sent; it survives reloads and errors. */
export const readDraft = (key: string): string => {
  const text = readAll()[key];
  return typeof text === "string" ? text : "";
};

export function writeDraft(key: string, text: string): void {
  const { [key]: _, ...others } = readAll();
  writeStored(keys.drafts, JSON.stringify(text ? { ...others, [key]: text } : others));
}

const unsentKey = (key: string): string => `${key}#unsent`;
/** Keeps a question that the server does not have yet; blank once it has it. */
export const keepUnsent = (key: string, text: string): void => writeDraft(unsentKey(key), text);
/** After a reload: a question that never reached the server goes back to where it was typed. */
export function reviveUnsent(key: string): void {
  const text = readDraft(unsentKey(key));
  if (!text) return;
  keepUnsent(key, "");
  if (!readDraft(key)) writeDraft(key, text);
}

const returned = createStore<{ key: string; text: string } | null>(null);
/** Gives a text back to the field of its thread, where nothing else was typed meanwhile. */
export function giveBack(key: string, text: string): void {
  // for a field that is drawn anew, as in a chat that is empty again
  if (!readDraft(key)) writeDraft(key, text);
  returned.set(() => ({ key, text }));
}
/** What was given back to this field; a new object each time. */
export const useReturned = (key: string): { key: string; text: string } | null =>
  useStore(returned, (value) => (value?.key === key ? value : null));
