import { useInfiniteQuery, useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useId, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button, buttonStyles } from "../../../components/ui/button.tsx";
import { Select } from "../../../components/ui/field.tsx";
import { ConfirmDialog } from "../../../components/ui/overlays.tsx";
import { formatAgo, formatDateTime, formatNumber } from "../../../lib/format.ts";
import { setupQuery } from "../../../lib/setup.ts";
import { toast } from "../../../lib/toast.ts";
import {
  sessionsQuery,
  useDeleteVisitorSession,
  type VisitorSession,
} from "../api/visitor-chats.ts";
import { nameOfWidget, widgetsQuery } from "../api/widgets.ts";
import { DataTable, type Column } from "./data-table.tsx";
import "./recorded-answer.tsx";
import { EmptyList, ListPane, PhoneLabel, SettingsBoundary } from "./settings-page.tsx";
import {
  VisitorChatExport,
  VisitorName,
  VisitorSessionDetails,
} from "./visitor-session-details.tsx";

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
