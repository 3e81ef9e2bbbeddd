import { createStore, useStore } from "../../../lib/store.ts";
import type { Ask } from "./generation-stream.ts";

/**
 * A question asked during another answer, until the server has queued it; `error` says why that
 * failed.
 */
export interface Waiting extends Ask {
  id: number;
  error: string | null;
}

const none: Waiting[] = [];
const waiting = createStore<Record<string, Waiting[]>>({});
let lastId = 0;

export const useWaiting = (key: string): Waiting[] =>
  useStore(waiting, (value) => value[key] ?? none);

export function addWaiting(key: string, question: Ask): number {
  lastId += 1;
  const entry: Waiting = { ...question, id: lastId, error: null };
  waiting.set((value) => ({ ...value, [key]: [...(value[key] ?? none), entry] }));
  return entry.id;
}
export function failWaiting(key: string, id: number, error: string): void {
  waiting.set((value) => ({
    ...value,
    [key]: (value[key] ?? none).map((each) => (each.id === id ? { ...each, error } : each)),
  }));
}
/** Removes it and returns it, or null if it was not there. */
export function takeWaiting(key: string, id: number): Waiting | null {
  const found = waiting.get()[key]?.find((each) => each.id === id) ?? null;
  if (found)
    waiting.set((value) => ({
      ...value,
      [key]: (value[key] ?? none).filter((each) => each.id !== id),
    }));
  return found;
}
