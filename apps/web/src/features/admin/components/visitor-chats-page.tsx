import { chatExportTypes } from "@carrel/contracts";
import { useInfiniteQuery, useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { BadgeCheck, Download, FileText, Trash2 } from "lucide-react";
import { useId, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { Badge } from "../../../components/ui/badge.tsx";
import { Button, buttonStyles, IconButton } from "../../../components/ui/button.tsx";
import { Select } from "../../../components/ui/field.tsx";
import { FailedQuery } from "../../../components/ui/notice.tsx";
import { ConfirmDialog, Menu } from "../../../components/ui/overlays.tsx";
import { Skeleton } from "../../../components/ui/progress.tsx";
import { formatAgo, formatDateTime, formatNumber } from "../../../lib/format.ts";
import { setupQuery } from "../../../lib/setup.ts";
import { toast } from "../../../lib/toast.ts";
import {
  sessionsQuery,
  useDeleteVisitorSession,
  type VisitorSession,
  readVisitorChat,
  sessionChatsQuery,
  useDeleteVisitorChat,
  useExportVisitorChats,
  type VisitorChat,
} from "../api/visitor-chats.ts";
import { nameOfWidget, widgetsQuery } from "../api/widgets.ts";
import { DataTable, type Column } from "./data-table.tsx";
import { RecordedAnswer } from "./recorded-answer.tsx";
import { EmptyList, ListPane, PhoneLabel, SettingsBoundary } from "./settings-page.tsx";

interface Props {
  chosen: number | null;
  onChoose: (id: number) => void;
}

/** What visitors asked a widget, by session. The widget is in the address. */
export function VisitorChatsPage(props: Props) {
  const { t } = useTranslation(["recorded", "widgets"]);
  const setup = useQuery(setupQuery);
  if (setup.data?.DisableViewChatHistory === true)
    return (
      <ListPane label={t("widgets:chats.list")}>
        <EmptyList title={t("hiddenTitle")} text={t("hiddenText")} />
      </ListPane>
    );
  return <SettingsBoundary>{!setup.isPending && <VisitorChats {...props} />}</SettingsBoundary>;
}

function VisitorChats({ chosen, onChoose }: Props) {
  const { t } = useTranslation("widgets");
  const id = useId();
  const { data: widgets } = useSuspenseQuery(widgetsQuery);
  const widget = widgets.find((each) => each.id === chosen) ?? widgets[0];
  if (widget === undefined)
    return (
      <ListPane label={t("chats.list")}>
        <EmptyList title={t("chats.noWidgetTitle")} text={t("chats.noWidgetText")}>
          <Link to="/settings/embed-chat-widgets" className={buttonStyles()}>
            {t("chats.toWidgets")}
          </Link>
        </EmptyList>
      </ListPane>
    );
  return (
    <ListPane
      label={t("chats.list")}
      head={
        <>
          <label htmlFor={id} className="text-fg-3">
            {t("chats.widget")}
          </label>
          <div className="w-[260px] max-md:w-full">
            <Select
              id={id}
              value={widget.id}
              onChange={(event) => onChoose(Number(event.target.value))}
            >
              {widgets.map((each) => (
                <option key={each.id} value={each.id}>
                  {nameOfWidget(each)}
                </option>
              ))}
            </Select>
          </div>
          <span className="flex-1" />
          <VisitorChatExport embedId={widget.id} label={t("chats.export")} />
        </>
      }
    >
      <Sessions key={widget.id} widgetId={widget.id} />
    </ListPane>
  );
}

function Sessions({ widgetId }: { widgetId: number }) {
  const { t } = useTranslation("widgets");
  const sessions = useInfiniteQuery(sessionsQuery(widgetId));
  const remove = useDeleteVisitorSession();
  const [deleting, setDeleting] = useState<VisitorSession | null>(null);
  const shown = sessions.data?.pages.flatMap((page) => page.sessions) ?? [];
  const columns = useMemo<Column<VisitorSession>[]>(
    () => [
      {
        id: "first",
        head: t("chats.columnFirst"),
        width: "minmax(0, 1fr)",
        cell: (session) => session.first_prompt,
      },
      {
        id: "visitor",
        head: t("chats.columnVisitor"),
        width: "minmax(0, 160px)",
        cell: (session) => (
          <div className="truncate text-fg-2">
            <VisitorName session={session} />
          </div>
        ),
      },
      {
        id: "site",
        head: t("chats.columnSite"),
        width: "minmax(0, 200px)",
        cell: ({ host }) => <bdi className="block truncate text-fg-2">{host}</bdi>,
      },
      {
        id: "questions",
        head: t("chats.columnQuestions"),
        width: "90px",
        cell: ({ chats }) => (
          <span className="text-fg-2 tabular-nums">
            <PhoneLabel>{t("chats.columnQuestions")}:</PhoneLabel>
            {formatNumber(chats)}
          </span>
        ),
      },
      {
        id: "last",
        head: t("chats.columnLast"),
        width: "110px",
        cell: ({ lastAt }) => (
          <time
            className="text-xs text-fg-3 tabular-nums"
            dateTime={lastAt}
            title={formatDateTime(Date.parse(lastAt))}
          >
            {formatAgo(lastAt)}
          </time>
        ),
      },
    ],
    [t],
  );
  return (
    <>
      <DataTable
        label={t("chats.list")}
        columns={columns}
        rows={shown}
        keyOf={(session) => session.session_id}
        query={sessions}
        words={{ loading: t("chats.loading"), failed: t("chats.loadFailed") }}
        details={{
          of: (session) => (
            <VisitorSessionDetails
              widgetId={widgetId}
              session={session}
              onDelete={() => setDeleting(session)}
            />
          ),
          nameOf: (session) =>
            t("chats.details", {
              visitor: session.username ?? t("chats.anonymous"),
              when: formatDateTime(Date.parse(session.lastAt)),
            }),
        }}
        empty={<EmptyList title={t("chats.emptyTitle")} text={t("chats.emptyText")} />}
        more={
          sessions.hasNextPage && (
            <div className="px-6 py-4 max-md:px-4">
              <Button
                disabled={sessions.isFetchingNextPage}
                onClick={() => void sessions.fetchNextPage()}
              >
                {t("chats.older")}
              </Button>
            </div>
          )
        }
      />
      {deleting && (
        <ConfirmDialog
          open
          title={t("chats.deleteSessionTitle")}
          text={t("chats.deleteSessionText", { count: deleting.chats })}
          action={t("chats.deleteSession")}
          onClose={() => setDeleting(null)}
          onConfirm={() =>
            remove.mutateAsync(
              { id: widgetId, sessionId: deleting.session_id },
              { onSuccess: () => toast.success(t("chats.deletedSession")) },
            )
          }
        />
      )}
    </>
  );
}

/** A visitor's questions and answers, and what can be done with them. */
function VisitorSessionDetails({
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
function VisitorName({ session: { username, verified } }: { session: VisitorSession }) {
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
function VisitorChatExport({
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
