import type { ThreadWire } from "@carrel/contracts";
import { Link } from "@tanstack/react-router";
import { clsx } from "clsx";
import { Ellipsis, ListChecks, Pencil, Trash2 } from "lucide-react";
import { memo, useEffect } from "react";
import { useTranslation } from "react-i18next";
import { IconButton } from "../../../components/ui/icon-button.tsx";
import { LiveDots } from "../../../components/ui/live-dots.tsx";
import { Menu } from "../../../components/ui/menu.tsx";
import { shortenName } from "../../../lib/format.ts";
import { markRead, useThreadActivity } from "../state/thread-activity.ts";

/** Preloads the dialog when the pointer or focus reaches the menu, so that it opens instantly. */
const loadDialog = (): void => void import("./thread-dialog.tsx");

export type ThreadAct = "rename" | "delete" | "select" | "mark";

/** One thread: its name, activity and menu, plus a checkbox while threads are being marked. */
export const ThreadRow = memo(function ThreadRow({
  slug,
  thread,
  current,
  gone,
  marking,
  marked,
  onAct,
}: {
  slug: string;
  thread: ThreadWire;
  current: boolean;
  gone: boolean;
  marking: boolean;
  marked: boolean;
  onAct: (act: ThreadAct, thread: ThreadWire) => void;
}) {
  const { t } = useTranslation("shell");
  const activity = useThreadActivity(thread.id);
  useEffect(() => {
    if (current) markRead(thread.id);
  }, [current, thread.id, activity]);
  const name = (
    <span className="cut" title={thread.name}>
      {shortenName(thread.name)}
    </span>
  );
  if (gone)
    return (
      <span className="nav is-gone" aria-hidden="true">
        {name}
      </span>
    );
  return (
    <div className={clsx("wsrow", marking && "is-marking", marked && "is-marked")}>
      {marking && (
        <button
          type="button"
          role="checkbox"
          className="mark"
          aria-checked={marked}
          aria-label={t("markThread", { name: thread.name })}
          onClick={() => onAct("mark", thread)}
        />
      )}
      <Link
        className="nav"
        to="/workspace/$workspaceSlug/t/$threadSlug"
        params={{ workspaceSlug: slug, threadSlug: thread.slug }}
        aria-current={current ? "page" : undefined}
        draggable={false}
        onClick={(event) => {
          if (marking) {
            event.preventDefault();
            onAct("mark", thread);
          }
        }}
      >
        {name}
        {activity === "writing" && <LiveDots label={t("writing")} />}
        {activity === "unread" && (
          <span className="dot" role="img" aria-label={t("newAnswer")} title={t("newAnswer")} />
        )}
      </Link>
      {!marking && (
        <span className="more" onPointerEnter={loadDialog} onFocus={loadDialog}>
          <Menu
            trigger={
              <IconButton label={t("threadMenu", { name: thread.name })}>
                <Ellipsis className="i sm" />
              </IconButton>
            }
            items={[
              { label: t("rename"), icon: Pencil, run: () => onAct("rename", thread) },
              { label: t("selectThreads"), icon: ListChecks, run: () => onAct("select", thread) },
              {
                label: t("deleteThread"),
                icon: Trash2,
                danger: true,
                run: () => onAct("delete", thread),
              },
            ]}
          />
        </span>
      )}
    </div>
  );
});
