import type { FaultWire } from "@carrel/contracts";
import { createStore, useStore } from "../../../lib/store.ts";
import type { QuestionInput } from "./generation-stream.ts";

/**
 * A question asked while another is being answered, until the server has queued it; `error` says
 * why queueing failed.
 */
export interface PendingQuestion extends QuestionInput {
  id: number;
  error: FaultWire | string | null;
  /** The server doesn't have the question, because the connection broke or the page was closed. */
  isUnsent?: boolean;
}

const none: PendingQuestion[] = [];
const pending = createStore<Record<string, PendingQuestion[]>>({});
let lastId = 0;

export const usePendingQuestions = (key: string): PendingQuestion[] =>
  useStore(pending, (value) => value[key] ?? none);

export function addPending(key: string, question: QuestionInput): number {
  lastId += 1;
  const entry: PendingQuestion = { ...question, id: lastId, error: null };
  pending.set((value) => ({ ...value, [key]: [...(value[key] ?? none), entry] }));
  return entry.id;
}
export function failPending(
  key: string,
  id: number,
  error: FaultWire | string,
  isUnsent: boolean,
): void {
  pending.set((value) => ({
    ...value,
    [key]: (value[key] ?? none).map((each) =>
      each.id === id ? { ...each, error, isUnsent } : each,
    ),
  }));
}
/** Removes and returns it, or returns null if it wasn't there. */
export function removePending(key: string, id: number): PendingQuestion | null {
  const found = pending.get()[key]?.find((each) => each.id === id) ?? null;
  if (found)
    pending.set((value) => ({
      ...value,
      [key]: (value[key] ?? none).filter((each) => each.id !== id),
    }));
  return found;
}
