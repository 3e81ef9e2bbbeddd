import { useInfiniteQuery, useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button, buttonStyles } from "../../../components/ui/button.tsx";
import { ConfirmDialog } from "../../../components/ui/dialogs.tsx";
import { Select } from "../../../components/ui/field.tsx";
import { FailedQuery } from "../../../components/ui/notice.tsx";
import { Skeleton } from "../../../components/ui/progress.tsx";
import { setupQuery } from "../../../lib/setup.ts";
import { toast } from "../../../lib/toast.ts";
import {
  sessionsQuery,
  useDeleteVisitorSession,
  type VisitorSession,
} from "../api/visitor-chats.ts";
import { nameOfWidget, widgetsQuery } from "../api/widgets.ts";
import { EmptyList, headRow, scrollArea } from "./data-table.tsx";
import "./recorded-answer.tsx";
import { ListPane, SettingsBoundary } from "./settings-page.tsx";
import { VisitorChatExport, VisitorSessionRow } from "./visitor-session-row.tsx";

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
  const [open, setOpen] = useState<string | null>(null);
  const [deleting, setDeleting] = useState<VisitorSession | null>(null);
  const shown = sessions.data?.pages.flatMap((page) => page.sessions) ?? [];
  return (
    <div
      className={scrollArea}
      style={
        {
          "--columns": "minmax(0, 1fr) minmax(0, 160px) minmax(0, 200px) 90px 110px",
        } as Record<string, string>
      }
    >
      {sessions.error && (
        <div className="p-6">
          <FailedQuery
            title={t("chats.loadFailed")}
            retryLabel={t("chats.retry")}
            error={sessions.error}
            retry={() => void sessions.refetch()}
          />
        </div>
      )}
      {sessions.isPending && (
        <div
          className="grid gap-4 p-6"
          role="status"
          aria-busy="true"
          aria-label={t("chats.loading")}
        >
          {[52, 38, 45].map((width) => (
            <Skeleton key={width} style={{ inlineSize: `${width}%` }} />
          ))}
        </div>
      )}
      {sessions.isSuccess && shown.length === 0 && (
        <EmptyList title={t("chats.emptyTitle")} text={t("chats.emptyText")} />
      )}
      {shown.length > 0 && (
        <div role="table" aria-label={t("chats.list")}>
          <div role="rowgroup">
            <div className={headRow} role="row">
              <span role="columnheader">{t("chats.columnFirst")}</span>
              <span role="columnheader">{t("chats.columnVisitor")}</span>
              <span role="columnheader">{t("chats.columnSite")}</span>
              <span role="columnheader">{t("chats.columnQuestions")}</span>
              <span role="columnheader">{t("chats.columnLast")}</span>
            </div>
          </div>
          <div role="rowgroup">
            {shown.map((session) => (
              <VisitorSessionRow
                key={session.session_id}
                widgetId={widgetId}
                session={session}
                isOpen={open === session.session_id}
                onToggle={() => setOpen(open === session.session_id ? null : session.session_id)}
                onDelete={() => setDeleting(session)}
              />
            ))}
          </div>
        </div>
      )}
      {sessions.hasNextPage && (
        <div className="px-6 py-4 max-md:px-4">
          <Button
            disabled={sessions.isFetchingNextPage}
            onClick={() => void sessions.fetchNextPage()}
          >
            {t("chats.older")}
          </Button>
        </div>
      )}
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
    </div>
  );
}
