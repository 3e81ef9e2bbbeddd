import { useQuery } from "@tanstack/react-query";
import { ChevronDown, ChevronLeft, ChevronRight, Trash2 } from "lucide-react";
import { clsx } from "clsx";
import { Fragment, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { ConfirmDialog } from "../../../components/ui/dialogs.tsx";
import { Notice } from "../../../components/ui/notice.tsx";
import { formatAgo, formatNumber } from "../../../lib/format.ts";
import { toast } from "../../../lib/toast.ts";
import { eventsPerPage, eventsQuery, useClearEvents, type LoggedEvent } from "../api/events.ts";
import { factsOf, readableName } from "../state/event-facts.ts";
import { EmptyList } from "./data-table.tsx";

/** The instance's event log, newest first, ten per page. */
export function EventLogPage() {
  const { t, i18n } = useTranslation("admin");
  const id = useId();
  const [page, setPage] = useState(0);
  const [open, setOpen] = useState<number | null>(null);
  const [clearing, setClearing] = useState(false);
  const events = useQuery(eventsQuery(page));
  const clear = useClearEvents();
  const nameOf = (event: LoggedEvent): string =>
    i18n.exists(`admin:events.name.${event.event}`)
      ? t(`events.name.${event.event}` as "events.name.login_event")
      : readableName(event.event);
  const exact = (iso: string): string =>
    Number.isNaN(Date.parse(iso))
      ? ""
      : new Intl.DateTimeFormat(document.documentElement.lang, {
          dateStyle: "medium",
          timeStyle: "medium",
        }).format(new Date(iso));
  const turnTo = (to: number): void => {
    setOpen(null);
    setPage(to);
  };
  const total = events.data?.totalLogs ?? 0;
  const logs = events.data?.logs ?? [];
  return (
    <section className="pane grow adm" aria-label={t("events.list")}>
      {total > 0 && (
        <div className="pane-head">
          <span className="t3 num" role="status">
            {logs.length > 0 &&
              t("events.page", {
                from: formatNumber(page * eventsPerPage + 1),
                to: formatNumber(page * eventsPerPage + logs.length),
                total: formatNumber(total),
              })}
          </span>
          <span className="grow" />
          <button type="button" className="btn" onClick={() => setClearing(true)}>
            <Trash2 className="i sm" aria-hidden="true" />
            {t("events.clear")}
          </button>
        </div>
      )}
      <div
        className="rows"
        style={{ "--columns": "minmax(0, 1fr) minmax(0, 0.6fr) 120px" } as Record<string, string>}
      >
        {events.error && (
          <div className="p-6">
            <Notice
              kind="bad"
              action={
                <button type="button" className="btn sm" onClick={() => void events.refetch()}>
                  {t("retry")}
                </button>
              }
            >
              <p>
                <b>{t("loadFailed")}</b>
              </p>
              <p>{events.error.message}</p>
            </Notice>
          </div>
        )}
        {events.isPending && (
          <div className="grid gap-4 p-6" aria-busy="true" aria-label={t("loading")}>
            {[52, 38, 45].map((width) => (
              <span className="skel" key={width} style={{ inlineSize: `${width}%` }} />
            ))}
          </div>
        )}
        {events.isSuccess && total === 0 && (
          <EmptyList title={t("events.emptyTitle")} text={t("events.emptyText")} />
        )}
        {logs.length > 0 && (
          <div role="table" aria-label={t("events.list")} aria-busy={events.isPlaceholderData}>
            <div role="rowgroup">
              <div className="adm-head" role="row">
                <span role="columnheader">{t("events.columnEvent")}</span>
                <span role="columnheader">{t("events.columnWho")}</span>
                <span role="columnheader">{t("events.columnWhen")}</span>
              </div>
            </div>
            <div role="rowgroup">
              {logs.map((event) => {
                const shown = open === event.id;
                const facts = shown ? factsOf(event.metadata) : [];
                return (
                  <Fragment key={event.id}>
                    <div className={clsx("adm-row", shown && "is-open")} role="row">
                      <div role="cell" className="min-w-0">
                        <button
                          type="button"
                          className="title"
                          aria-expanded={shown}
                          aria-controls={shown ? `${id}-${event.id}` : undefined}
                          onClick={() => setOpen(shown ? null : event.id)}
                        >
                          {shown ? (
                            <ChevronDown className="i sm" aria-hidden="true" />
                          ) : (
                            <ChevronRight className="i sm flip" aria-hidden="true" />
                          )}
                          <span className="cut">{nameOf(event)}</span>
                        </button>
                      </div>
                      <div role="cell" className="min-w-0">
                        <span className="cut block t2">
                          {event.userId === null ? t("events.nobody") : event.user.username}
                        </span>
                      </div>
                      <div role="cell">
                        <time
                          className="xs t3 num"
                          dateTime={event.occurredAt}
                          title={exact(event.occurredAt)}
                        >
                          {formatAgo(event.occurredAt)}
                        </time>
                      </div>
                    </div>
                    {shown && (
                      <div role="row">
                        <div
                          role="cell"
                          aria-colspan={3}
                          className="adm-more"
                          id={`${id}-${event.id}`}
                          aria-label={t("events.details", {
                            event: nameOf(event),
                            when: exact(event.occurredAt),
                          })}
                        >
                          <dl className="adm-facts">
                            <dt>{t("events.columnWhen")}</dt>
                            <dd className="num">{exact(event.occurredAt)}</dd>
                            {facts.map(([name, value]) => (
                              <Fragment key={name}>
                                <dt>{name}</dt>
                                <dd>{value}</dd>
                              </Fragment>
                            ))}
                          </dl>
                          {facts.length === 0 && (
                            <p className="t3 xs mt-2">{t("events.noDetails")}</p>
                          )}
                        </div>
                      </div>
                    )}
                  </Fragment>
                );
              })}
            </div>
          </div>
        )}
      </div>
      {(page > 0 || events.data?.hasPages) && (
        <nav className="adm-pager" aria-label={t("events.list")}>
          <button
            type="button"
            className="btn"
            disabled={page === 0}
            onClick={() => turnTo(page - 1)}
          >
            <ChevronLeft className="i sm flip" aria-hidden="true" />
            {t("events.newer")}
          </button>
          <span className="grow" />
          <button
            type="button"
            className="btn"
            disabled={events.isPlaceholderData || !events.data?.hasPages}
            onClick={() => turnTo(page + 1)}
          >
            {t("events.older")}
            <ChevronRight className="i sm flip" aria-hidden="true" />
          </button>
        </nav>
      )}
      {clearing && (
        <ConfirmDialog
          open
          title={t("events.clearTitle")}
          text={t("events.clearText")}
          action={t("events.clear")}
          onClose={() => setClearing(false)}
          onConfirm={() =>
            clear.mutateAsync(undefined, {
              onSuccess: () => {
                turnTo(0);
                toast.success(t("events.cleared"));
              },
            })
          }
        />
      )}
    </section>
  );
}
