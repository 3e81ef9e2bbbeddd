import type { ChangeFrame } from "@carrel/contracts";
import { keys, readStored, writeStored } from "../../../lib/session-storage.ts";
import { createStore, useStore } from "../../../lib/store.ts";

/** Dots in the sidebar. Threads are known here by the id that the changes stream carries. */
interface Activity {
  writing: Record<number, string>;
  unread: number[];
}

function storedUnread(): number[] {
  try {
    const value: unknown = JSON.parse(readStored(keys.unread) ?? "[]");
    return Array.isArray(value) ? value.filter((id): id is number => typeof id === "number") : [];
  } catch {
    return []; // someone else's value under our key: no dots rather than no page
  }
}

const activity = createStore<Activity>({ writing: {}, unread: storedUnread() });
const running = new Set(["queued", "running"]);

/**
 * A generation began or ended. `open` says whether the person is looking at that thread: then there
 * is nothing unread.
 */
export function noteGeneration(
  frame: Extract<ChangeFrame, { type: "generation.changed" }>,
  open: boolean,
): void {
  activity.set(({ writing, unread }) => {
    const { [frame.threadId]: _, ...others } = writing;
    if (running.has(frame.state))
      return { writing: { ...others, [frame.threadId]: frame.generationId }, unread };
    const next =
      frame.state === "done" && !open && !unread.includes(frame.threadId)
        ? [...unread, frame.threadId]
        : unread;
    return { writing: others, unread: next };
  });
  writeStored(keys.unread, JSON.stringify(activity.get().unread.slice(-200)));
}

export function markRead(threadId: number): void {
  if (!activity.get().unread.includes(threadId)) return;
  activity.set((value) => ({ ...value, unread: value.unread.filter((id) => id !== threadId) }));
  writeStored(keys.unread, JSON.stringify(activity.get().unread));
}

/**
 * After a drop of the changes stream nothing is certain: the dots come back with the next change.
 */
export const forgetWriting = (): void => activity.set((value) => ({ ...value, writing: {} }));

export const useThreadActivity = (threadId: number): "writing" | "unread" | null =>
  useStore(activity, (value) =>
    value.writing[threadId] ? "writing" : value.unread.includes(threadId) ? "unread" : null,
  );
