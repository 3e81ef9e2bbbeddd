import { chatExportTypes } from "@carrel/contracts";
import { useInfiniteQuery } from "@tanstack/react-query";
import { BadgeCheck, Download, FileText, Trash2 } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Badge } from "../../../components/ui/badge.tsx";
import { Button, IconButton } from "../../../components/ui/button.tsx";
import { FailedQuery } from "../../../components/ui/notice.tsx";
import { ConfirmDialog, Menu } from "../../../components/ui/overlays.tsx";
import { Skeleton } from "../../../components/ui/progress.tsx";
import { formatDateTime } from "../../../lib/format.ts";
import { toast } from "../../../lib/toast.ts";
import {
  readVisitorChat,
  sessionChatsQuery,
  useDeleteVisitorChat,
  useExportVisitorChats,
  type VisitorChat,
  type VisitorSession,
} from "../api/visitor-chats.ts";
import { RecordedAnswer } from "./recorded-answer.tsx";

/** A visitor's questions and answers, and what can be done with them. */
export function VisitorSessionDetails({
  widgetId,
  session,
  onDelete,
}: {
  widgetId: number;
  session: VisitorSession;
  onDelete: () => void;
}) {
  const { t } = useTranslation("widgets");
  return (
    <>
      <VisitorSessionChats widgetId={widgetId} sessionId={session.session_id} />
      <div className="mt-3 flex flex-wrap gap-2">
        <VisitorChatExport
          embedId={widgetId}
          sessionId={session.session_id}
          label={t("chats.exportSession")}
          className="max-md:h-11"
        />
        <Button variant="danger-outline" className="max-md:h-11" onClick={onDelete}>
          <Trash2 className="size-3.5 stroke-2" aria-hidden="true" />
          {t("chats.deleteSession")}
        </Button>
      </div>
    </>
  );
}

/**
 * A page may claim any name, so only a name that the site's server signed looks like an identity.
 */
export function VisitorName({ session: { username, verified } }: { session: VisitorSession }) {
  const { t } = useTranslation("widgets");
  if (username === null) return t("chats.anonymous");
  if (!verified)
    return (
      <>
        <bdi className="block truncate">{username}</bdi>
        <span className="block truncate text-xs text-fg-3">{t("chats.notVerified")}</span>
      </>
    );
  return (
    <span className="flex items-center gap-1" title={t("chats.verifiedHelp")}>
      <bdi className="min-w-0 truncate">{username}</bdi>
      <BadgeCheck
        className="size-3.5 flex-none stroke-2 text-success"
        role="img"
        aria-label={t("chats.verified")}
      />
    </span>
  );
}

/** Questions and answers of a session, newest first. */
function VisitorSessionChats({ widgetId, sessionId }: { widgetId: number; sessionId: string }) {
  const { t } = useTranslation("widgets");
  const chats = useInfiniteQuery(sessionChatsQuery(widgetId, sessionId));
  const remove = useDeleteVisitorChat();
  const [deleting, setDeleting] = useState<VisitorChat | null>(null);
  if (chats.isPending)
    return (
      <div role="status" aria-busy="true" aria-label={t("chats.loading")}>
        <Skeleton style={{ inlineSize: "50%" }} />
      </div>
    );
  if (chats.error)
    return (
      <FailedQuery
        title={t("chats.loadFailed")}
        retryLabel={t("chats.retry")}
        error={chats.error}
        retry={() => void chats.refetch()}
      />
    );
  // A question asked while older ones are loaded shifts them to the next page.
  const shown = new Map(
    chats.data.pages.flatMap((page) =>
      page.chats.map((chat) => [chat.id, readVisitorChat(chat)] as const),
    ),
  );
  return (
    <>
      <ol className="grid max-w-[90ch] gap-2">
        {[...shown.values()].map((chat) => (
          <li
            key={chat.id}
            className="grid gap-2 rounded-md border border-subtle bg-surface px-4 py-3"
          >
            <div className="flex items-center gap-2 text-xs text-fg-3">
              <time dateTime={chat.createdAt}>{formatDateTime(Date.parse(chat.createdAt))}</time>
              {!chat.include && (
                <Badge title={t("chats.notIncludedHelp")}>{t("chats.notIncluded")}</Badge>
              )}
              <span className="flex-1" />
              <IconButton label={t("chats.deleteChat")} onClick={() => setDeleting(chat)}>
                <Trash2 />
              </IconButton>
            </div>
            <dl className="grid gap-2">
              <div>
                <dt className="text-xs text-fg-3">{t("chats.question")}</dt>
                <dd className="wrap-anywhere whitespace-pre-wrap">{chat.prompt}</dd>
              </div>
              <div>
                <dt className="text-xs text-fg-3">{t("chats.answer")}</dt>
                <dd className="wrap-anywhere whitespace-pre-wrap">
                  <RecordedAnswer
                    answer={chat.answer}
                    reasoning={chat.reasoning}
                    empty={t("chats.noAnswer")}
                  />
                </dd>
              </div>
            </dl>
          </li>
        ))}
      </ol>
      {chats.hasNextPage && (
        <Button
          className="mt-3 me-2"
          disabled={chats.isFetchingNextPage}
          onClick={() => void chats.fetchNextPage()}
        >
          {t("chats.older")}
        </Button>
      )}
      {deleting && (
        <ConfirmDialog
          open
          title={t("chats.deleteChatTitle")}
          text={t("chats.deleteChatText")}
          action={t("chats.deleteChat")}
          onClose={() => setDeleting(null)}
          onConfirm={() =>
            remove.mutateAsync(deleting.id, {
              onSuccess: () => toast.success(t("chats.deletedChat")),
            })
          }
        />
      )}
    </>
  );
}

/** Downloads all chats of a widget, or one visitor's. */
export function VisitorChatExport({
  label,
  className,
  ...which
}: {
  label: string;
  className?: string;
  embedId: number;
  sessionId?: string;
}) {
  const { t } = useTranslation(["widgets", "recorded"]);
  const save = useExportVisitorChats();
  return (
    <Menu
      trigger={
        <Button className={className} disabled={save.isPending}>
          <Download className="size-3.5 stroke-2" aria-hidden="true" />
          {save.isPending ? t("chats.exporting") : label}
        </Button>
      }
      items={chatExportTypes.map((type) => ({
        label: t(`recorded:as.${type}`),
        icon: FileText,
        run: () => save.mutate({ type, ...which }),
      }))}
    />
  );
}
