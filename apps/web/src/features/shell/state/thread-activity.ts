import type { ChangeFrame } from "@carrel/contracts";
import { keys, readStored, writeStored } from "../../../lib/session-storage.ts";
import { createStore, useStore } from "../../../lib/store.ts";

/** The sidebar's activity dots, by the thread ID that the change stream carries. */
interface Activity {
  writing: Record<number, string>;
  unread: number[];
}

function storedUnread(): number[] {
  try {
    const value: unknown = JSON.parse(readStored(keys.unread) ?? "[]");
    return Array.isArray(value) ? value.filter((id): id is number => typeof id === "number") : [];
  } catch {
    return []; // not our value: show no dots rather than crash
  }
}

const activity = createStore<Activity>({ writing: {}, unread: storedUnread() });
const running = new Set(["queued", "running"]);

/**
 * Records that a generation started or ended. `open` means the user has that thread open, so
 * nothing becomes unread.
 */
export function recordGeneration(
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
 * After a dropped connection the running generations are unknown; the dots come back with the next
 * change.
 */
export const clearWriting = (): void => activity.set((value) => ({ ...value, writing: {} }));

export const useThreadActivity = (threadId: number): "writing" | "unread" | null =>
  useStore(activity, (value) =>
    value.writing[threadId] ? "writing" : value.unread.includes(threadId) ? "unread" : null,
  );
