import type { MarkedThread } from "@carrel/contracts";
import { Link } from "@tanstack/react-router";
import { Ellipsis, Hand, Link2, ListChecks, Pencil, Trash2 } from "lucide-react";
import { memo, useEffect } from "react";
import { useTranslation } from "react-i18next";
import { IconButton } from "../../../components/ui/button.tsx";
import { Menu } from "../../../components/ui/overlays.tsx";
import { LiveDots } from "../../../components/ui/progress.tsx";
import { cn } from "../../../lib/cn.ts";
import { shortenName } from "../../../lib/format.ts";
import { threadName } from "../../../lib/thread-name.ts";
import {
  markRead,
  useMarkItems,
  useThreadActivity,
  type ThreadMarks,
} from "../state/thread-marks.ts";
import { linkToThread, rowActions, threadNav, underActions } from "./thread-nav.ts";

/** Preloads the dialog when the pointer or focus reaches the menu, so that it opens instantly. */
const loadDialog = (): void => void import("./thread-dialog.tsx");

export type ThreadAction = "rename" | "share" | "delete" | "select" | "toggle";

/** One thread: its name, activity and menu, plus a checkbox while threads are being marked. */
export const ThreadRow = memo(function ThreadRow({
  slug,
  thread,
  current,
  removed,
  selecting,
  selected,
  onAction,
  onMark,
}: {
  slug: string;
  thread: MarkedThread;
  current: boolean;
  removed: boolean;
  selecting: boolean;
  selected: boolean;
  onAction: (action: ThreadAction, thread: MarkedThread) => void;
  onMark: (thread: MarkedThread, marks: ThreadMarks) => void;
}) {
  const { t } = useTranslation("shell");
  const markItems = useMarkItems();
  const activity = useThreadActivity(thread.id);
  useEffect(() => {
    if (current) markRead(thread.id);
  }, [current, thread.id, activity]);
  const name = (
    <span className="truncate" title={threadName(thread.name)} dir="auto">
      {shortenName(threadName(thread.name))}
    </span>
  );
  if (removed)
    return (
      <span
        className={cn(threadNav, "animate-leave text-fg-3 line-through")}
        data-removed
        aria-hidden="true"
      >
        {name}
      </span>
    );
  return (
    <div className="group/row relative flex items-center" data-thread={thread.slug}>
      {selecting && (
        <button
          type="button"
          role="checkbox"
          className="relative h-7.5 w-6 flex-none rounded-sm before:absolute before:start-1.25 before:top-2 before:size-3.5 before:rounded-[4px] before:border-[1.5px] before:border-control aria-checked:before:border-transparent aria-checked:before:bg-danger-solid aria-checked:after:absolute aria-checked:after:start-2.5 aria-checked:after:top-2.5 aria-checked:after:h-2 aria-checked:after:w-1 aria-checked:after:rotate-45 aria-checked:after:border-r-[1.5px] aria-checked:after:border-b-[1.5px] aria-checked:after:border-on-danger max-md:h-10 max-md:w-9 max-md:before:start-2.5 max-md:before:top-3 max-md:before:size-4 max-md:aria-checked:after:start-4 max-md:aria-checked:after:top-3.75"
          aria-checked={selected}
          aria-label={t("markThread", { name: threadName(thread.name) })}
          onClick={() => onAction("toggle", thread)}
        />
      )}
      <Link
        className={cn(
          threadNav,
          "min-w-0 flex-1 gap-1.5 group-hover/row:bg-hover max-md:pe-11",
          selecting && "ps-1 aria-[current]:before:-start-8.5",
          selected && "text-fg-3 line-through",
        )}
        {...linkToThread(slug, thread.slug || null)}
        // The default thread's address is the beginning of all others.
        activeOptions={{ exact: true }}
        draggable={false}
        onClick={(event) => {
          if (selecting) {
            event.preventDefault();
            onAction("toggle", thread);
          }
        }}
      >
        {name}
        {activity === "writing" && (
          <LiveDots className={cn("ms-auto me-0.5", underActions)} label={t("writing")} />
        )}
        {activity === "waiting" && (
          <Hand
            className={cn("ms-auto me-0.5 size-3.5 flex-none stroke-2 text-warning!", underActions)}
            role="img"
            aria-label={t("waiting")}
          />
        )}
        {activity === "unread" && (
          <span
            className={cn(
              "ms-auto me-1 size-1.75 flex-none rounded-full bg-accent-solid",
              underActions,
            )}
            role="img"
            aria-label={t("newAnswer")}
            title={t("newAnswer")}
          />
        )}
      </Link>
      {!selecting && (
        <span className={rowActions} onPointerEnter={loadDialog} onFocus={loadDialog}>
          <Menu
            trigger={
              <IconButton label={t("threadMenu", { name: threadName(thread.name) })}>
                <Ellipsis className="size-3.5 stroke-2" />
              </IconButton>
            }
            items={[
              { label: t("rename"), icon: Pencil, run: () => onAction("rename", thread) },
              ...markItems(thread, onMark),
              { label: t("share"), icon: Link2, run: () => onAction("share", thread) },
              {
                label: t("selectThreads"),
                icon: ListChecks,
                run: () => onAction("select", thread),
              },
              {
                label: t("deleteThread"),
                icon: Trash2,
                danger: true,
                run: () => onAction("delete", thread),
              },
            ]}
          />
        </span>
      )}
    </div>
  );
});
