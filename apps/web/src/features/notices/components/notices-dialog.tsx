import type { NoticeWire } from "@carrel/contracts";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Check } from "lucide-react";
import { useTranslation } from "react-i18next";
import { FaultText } from "../../../components/fault-text.tsx";
import { Button, IconButton } from "../../../components/ui/button.tsx";
import { Dialog, DialogFooter } from "../../../components/ui/dialog.tsx";
import { Notice } from "../../../components/ui/notice.tsx";
import { placeHash, wholeDocument } from "../../../lib/document-place.ts";
import { formatAgo } from "../../../lib/format.ts";
import { addTexts } from "../../../lib/i18n.ts";
import notices from "../../../locales/en/notices.json" with { type: "json" };
import { noticesQuery, useReadNotices } from "../api/notices.ts";

// Loaded with this dialog, not with the first page.
addTexts("notices", notices);

/** The user's latest notices. */
export default function NoticesDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation("notices");
  const { data, isError, refetch } = useQuery(noticesQuery);
  const { mutate: read } = useReadNotices();
  return (
    <Dialog open onClose={onClose} title={t("title")}>
      {isError && data === undefined && (
        <Notice
          kind="bad"
          action={
            <Button size="sm" onClick={() => void refetch()}>
              {t("retry")}
            </Button>
          }
        >
          {t("failed")}
        </Notice>
      )}
      {data?.notices.length === 0 && <p className="text-fg-2">{t("empty")}</p>}
      <ul className="-mx-2 grid gap-1">
        {data?.notices.map((notice) => (
          <NoticeRow
            key={notice.id}
            notice={notice}
            onRead={() => read([notice.id])}
            onClose={onClose}
          />
        ))}
      </ul>
      <DialogFooter>
        {data !== undefined && data.unread > 0 && (
          <Button onClick={() => read(null)}>{t("readAll")}</Button>
        )}
        <Button variant="primary" onClick={onClose}>
          {t("close")}
        </Button>
      </DialogFooter>
    </Dialog>
  );
}

function NoticeRow({
  notice,
  onRead,
  onClose,
}: {
  notice: NoticeWire;
  onRead: () => void;
  onClose: () => void;
}) {
  const { t } = useTranslation("notices");
  const isUnread = notice.readAt === null;
  const title = useTitle(notice);
  return (
    <li className="flex items-start gap-2 rounded-sm p-2 hover:bg-hover" data-notice={notice.id}>
      <span className="grid h-5 w-4 flex-none place-items-center">
        {isUnread && (
          <span className="size-2 rounded-full bg-accent-solid">
            <span className="sr-only">{t("unread")}</span>
          </span>
        )}
      </span>
      <div className="grid min-w-0 flex-1 gap-0.5">
        <p className={isUnread ? "font-medium" : "text-fg-2"}>{title}</p>
        <p className="text-xs text-fg-2">
          <FaultText fault={notice.fault} fallback={t("unknownReason")} />
        </p>
        <p className="flex flex-wrap items-center gap-x-3 text-xs text-fg-3 max-md:[&>a]:py-3 max-md:[&>a]:-my-3">
          <time dateTime={notice.createdAt}>{formatAgo(notice.createdAt)}</time>
          <NoticeLink
            notice={notice}
            onOpen={() => {
              if (isUnread) onRead();
              onClose();
            }}
          />
        </p>
      </div>
      {isUnread && (
        <IconButton label={t("read")} className="max-md:size-11" onClick={onRead}>
          <Check />
        </IconButton>
      )}
    </li>
  );
}

const scheduleTitles = {
  "schedule.delivered": "scheduleDelivered",
  "schedule.failed": "scheduleFailed",
  "schedule.denied": "scheduleDenied",
  "schedule.paused": "schedulePaused",
} as const;

function useTitle({ kind, title }: NoticeWire): string {
  const { t } = useTranslation("notices");
  if (kind === "flow.denied") return t("denied", { title: title ?? "" });
  if (kind === "flow.failed") return t("flowFailed", { title: title ?? "" });
  if (kind === "sync.removed")
    return title === null ? t("removedUnnamed") : t("removed", { title });
  if (kind !== "sync.stopped") return t(scheduleTitles[kind], { title: title ?? "" });
  return title === null ? t("stoppedUnnamed") : t("stopped", { title });
}

/** To the document, source, schedule, result or run, if it is still there. */
function NoticeLink({ notice, onOpen }: { notice: NoticeWire; onOpen: () => void }) {
  const { t } = useTranslation("notices");
  const { workspaceSlug, documentId, connectionId, scheduleId, flowRunId, threadSlug, kind } =
    notice;
  const look = { className: "rounded underline hover:text-fg-1", onClick: onOpen } as const;
  if (scheduleId !== null)
    return (
      <>
        {workspaceSlug !== null && threadSlug !== null && (
          <Link
            {...look}
            to="/workspace/$workspaceSlug/t/$threadSlug"
            params={{ workspaceSlug, threadSlug }}
          >
            {t("openThread")}
          </Link>
        )}
        <Link {...look} to="/schedules/{-$scheduleId}" params={{ scheduleId }} search={{}}>
          {t("openSchedule")}
        </Link>
      </>
    );
  if (flowRunId !== null)
    return (
      <Link {...look} to="/flows" search={{ run: flowRunId }}>
        {t("openRun")}
      </Link>
    );
  if (workspaceSlug === null || kind === "sync.removed") return null;
  const place = {
    to: "/workspace/$workspaceSlug/documents",
    params: { workspaceSlug },
    ...look,
  } as const;
  if (documentId !== null)
    return (
      <Link {...place} hash={placeHash(wholeDocument(documentId))}>
        {t("openDocument")}
      </Link>
    );
  if (connectionId === null) return null;
  return (
    <Link {...place} search={{ sources: connectionId }}>
      {t("openSource")}
    </Link>
  );
}
