import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Bell } from "lucide-react";
import { Suspense, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { IconButton } from "../../../components/ui/button.tsx";
import { onChange } from "../../../lib/changes.ts";
import { useFirstUse } from "../../../lib/first-use.ts";
import { lazyPart } from "../../../lib/lazy-part.ts";
import { noticeKeys, noticesQuery } from "../api/notices.ts";

const NoticesDialog = lazyPart(() => import("./notices-dialog.tsx"));

/** Opens the user's notices; shown only if there are any, with the number of unread ones. */
export function NoticesButton() {
  const { t } = useTranslation("shell");
  const client = useQueryClient();
  const reply = useQuery({ ...noticesQuery, enabled: useFirstUse() }).data;
  const [isOpen, setOpen] = useState(false);
  useEffect(
    () =>
      onChange((frame) => {
        if (frame.type === "notices.changed" || frame.type === "reconnected")
          void client.invalidateQueries({ queryKey: noticeKeys.all });
      }),
    [client],
  );
  if (!isOpen && (reply === undefined || reply.notices.length === 0)) return null;
  const unread = reply?.unread ?? 0;
  return (
    <>
      <IconButton
        label={unread === 0 ? t("notices") : t("unreadNotices", { count: unread })}
        onClick={() => setOpen(true)}
      >
        <span className="relative">
          <Bell />
          {unread > 0 && (
            <span
              className="absolute -end-2 -top-2 grid h-4 min-w-4 place-items-center rounded-full bg-accent-solid px-1 text-[10px]/4 font-semibold text-on-accent tabular-nums"
              aria-hidden="true"
            >
              {unread > 99 ? "99+" : unread}
            </span>
          )}
        </span>
      </IconButton>
      {isOpen && (
        <Suspense>
          <NoticesDialog onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
