import {
  markThread,
  updateDefaultThread,
  type ChangeFrame,
  type MarkedThread,
} from "@carrel/contracts";
import { useMutation } from "@tanstack/react-query";
import i18next from "i18next";
import { Archive, ArchiveRestore, Pin, PinOff } from "lucide-react";
import { useCallback } from "react";
import { useTranslation } from "react-i18next";
import type { MenuItem } from "../../../components/ui/dropdown-menu.tsx";
import { call } from "../../../lib/api.ts";
import { shortenName } from "../../../lib/format.ts";
import { optimistic } from "../../../lib/query-client.ts";
import { threadKeys } from "../../../lib/query-keys.ts";
import { keys, readStored, writeStored } from "../../../lib/session-storage.ts";
import { createStore, useStore } from "../../../lib/store.ts";
import { threadName } from "../../../lib/thread-name.ts";
import { toast } from "../../../lib/toast.ts";
import { threadsQuery } from "../api/workspaces.ts";

/** The sidebar's activity dots, by the thread ID that the change stream carries. */
interface Activity {
  /** Whether an answer is being written, or waits for the person. */
  writing: Record<number, "writing" | "waiting">;
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
const running = new Set(["queued", "running", "waiting"]);

/**
 * Records that a generation started, waits or ended. `open` means the user has that thread open, so
 * nothing becomes unread.
 */
export function recordGeneration(
  frame: Extract<ChangeFrame, { type: "generation.changed" }>,
  open: boolean,
): void {
  activity.set(({ writing, unread }) => {
    const { [frame.threadId]: _, ...others } = writing;
    if (running.has(frame.state))
      return {
        writing: {
          ...others,
          [frame.threadId]: frame.state === "waiting" ? "waiting" : "writing",
        },
        unread,
      };
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

export const useThreadActivity = (threadId: number): "writing" | "waiting" | "unread" | null =>
  useStore(
    activity,
    (value) => value.writing[threadId] ?? (value.unread.includes(threadId) ? "unread" : null),
  );

export interface ThreadMarks {
  pinned?: boolean;
  archived?: boolean;
}

const useMarkThread = (slug: string) =>
  useMutation({
    mutationFn: ({ threadSlug, ...marks }: ThreadMarks & { threadSlug: string }) =>
      threadSlug === ""
        ? call(updateDefaultThread, { slug, ...marks })
        : call(markThread, { slug, threadSlug, ...marks }),
    ...optimistic(
      threadsQuery(slug).queryKey,
      (
        { threads, ...rest },
        { threadSlug, pinned, archived }: ThreadMarks & { threadSlug: string },
      ) => {
        const now = new Date().toISOString();
        return {
          ...rest,
          threads: threads.map((thread) =>
            thread.slug === threadSlug
              ? {
                  ...thread,
                  ...(pinned === undefined ? {} : { pinnedAt: pinned ? now : null }),
                  ...(archived === undefined ? {} : { archivedAt: archived ? now : null }),
                  ...(archived === true ? { pinnedAt: null } : {}),
                }
              : thread,
          ),
        };
      },
    ),
    // One after the other, so that undoing can't overtake the change.
    scope: { id: `mark-threads-${slug}` },
    meta: {
      invalidates: [threadKeys.list(slug)],
      errorToast: (message) => i18next.t("shell:threadNotUpdated", { message }),
    },
  });

/** Pins or archives a thread, or undoes it. Archiving shows a toast that offers to undo it. */
export function useThreadMarks(slug: string): (thread: MarkedThread, marks: ThreadMarks) => void {
  const { t } = useTranslation("shell");
  const { mutate } = useMarkThread(slug);
  return useCallback(
    (thread, marks) => {
      const { slug: threadSlug, pinnedAt } = thread;
      const name = shortenName(threadName(thread.name));
      const undo = (): void => {
        mutate({ threadSlug, archived: false });
        if (pinnedAt !== null) mutate({ threadSlug, pinned: true });
      };
      mutate(
        { threadSlug, ...marks },
        {
          onSuccess: () => {
            if (marks.archived === true) toast.success(t("threadArchived", { name }), undo);
            if (marks.archived === false) toast.success(t("threadRestored", { name }));
          },
        },
      );
    },
    [mutate, t],
  );
}

/** Menu items to pin and archive a thread, or to undo it. */
export function useMarkItems(): (
  thread: MarkedThread,
  onMark: (thread: MarkedThread, marks: ThreadMarks) => void,
) => MenuItem[] {
  const { t } = useTranslation("shell");
  return (thread, onMark) => {
    const isArchived = thread.archivedAt !== null;
    const isPinned = thread.pinnedAt !== null;
    return [
      ...(isArchived
        ? []
        : [
            {
              label: t(isPinned ? "unpin" : "pin"),
              icon: isPinned ? PinOff : Pin,
              run: () => onMark(thread, { pinned: !isPinned }),
            },
          ]),
      {
        label: t(isArchived ? "unarchive" : "archive"),
        icon: isArchived ? ArchiveRestore : Archive,
        run: () => onMark(thread, { archived: !isArchived }),
      },
    ];
  };
}
