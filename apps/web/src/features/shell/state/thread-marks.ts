import { markThread, updateDefaultThread, type MarkedThread } from "@carrel/contracts";
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
import { toast } from "../../../lib/toast.ts";
import { threadsQuery } from "../api/workspaces.ts";

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
      const name = shortenName(thread.name);
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
