import type { MarkedThread } from "@carrel/contracts";
import { Archive, ArchiveRestore, Pin, PinOff } from "lucide-react";
import { useCallback } from "react";
import { useTranslation } from "react-i18next";
import type { MenuItem } from "../../../components/ui/dropdown-menu.tsx";
import { shortenName } from "../../../lib/format.ts";
import { toast } from "../../../lib/toast.ts";
import { useMarkThread, type ThreadMarks } from "../api/thread-marks.ts";

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
