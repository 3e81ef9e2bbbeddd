import { useInfiniteQuery } from "@tanstack/react-query";
import { Trash2 } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Badge } from "../../../components/ui/badge.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { ConfirmDialog } from "../../../components/ui/dialogs.tsx";
import { FailedQuery } from "../../../components/ui/failed-query.tsx";
import { IconButton } from "../../../components/ui/icon-button.tsx";
import { Skeleton } from "../../../components/ui/skeleton.tsx";
import { formatDateTime } from "../../../lib/format.ts";
import { toast } from "../../../lib/toast.ts";
import {
  readVisitorChat,
  sessionChatsQuery,
  useDeleteVisitorChat,
  type VisitorChat,
} from "../api/visitor-chats.ts";
import { RecordedAnswer } from "./recorded-answer.tsx";

/** Questions and answers of a session, newest first. */
export function VisitorSessionChats({
  widgetId,
  sessionId,
}: {
  widgetId: number;
  sessionId: string;
}) {
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
