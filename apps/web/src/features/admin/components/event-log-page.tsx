import { useQuery } from "@tanstack/react-query";
import { ChevronDown, ChevronLeft, ChevronRight, Trash2 } from "lucide-react";
import { clsx } from "clsx";
import { Fragment, useId, useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Skeleton } from "../../../components/ui/skeleton.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { ConfirmDialog } from "../../../components/ui/dialogs.tsx";
import { formatAgo, formatNumber } from "../../../lib/format.ts";
import { toast } from "../../../lib/toast.ts";
import { eventsPerPage, eventsQuery, useClearEvents, type LoggedEvent } from "../api/events.ts";
import { factsOf, readableName } from "../state/event-facts.ts";
import { EmptyList } from "./data-table.tsx";
import { ListPane } from "./list-pane.tsx";
import { bodyRow, headRow, rowButton, scrollArea } from "./row-styles.ts";
import { FailedQuery } from "../../../components/ui/failed-query.tsx";

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
    <ListPane
      label={t("events.list")}
      head={
        total > 0 && (
          <>
            <span className="text-fg-3 tabular-nums" role="status">
              {logs.length > 0 &&
                t("events.page", {
                  from: formatNumber(page * eventsPerPage + 1),
                  to: formatNumber(page * eventsPerPage + logs.length),
                  total: formatNumber(total),
                })}
            </span>
            <span className="flex-1" />
            <Button onClick={() => setClearing(true)}>
              <Trash2 className="size-3.5 stroke-2" aria-hidden="true" />
              {t("events.clear")}
            </Button>
          </>
        )
      }
    >
      <div
        className={scrollArea}
        style={{ "--columns": "minmax(0, 1fr) minmax(0, 0.6fr) 120px" } as Record<string, string>}
      >
        {events.error && (
          <div className="p-6">
            <FailedQuery
              title={t("loadFailed")}
              retryLabel={t("retry")}
              error={events.error}
              retry={() => void events.refetch()}
            />
          </div>
        )}
        {events.isPending && (
          <div className="grid gap-4 p-6" role="status" aria-busy="true" aria-label={t("loading")}>
            {[52, 38, 45].map((width) => (
              <Skeleton key={width} style={{ inlineSize: `${width}%` }} />
            ))}
          </div>
        )}
        {events.isSuccess && total === 0 && (
          <EmptyList title={t("events.emptyTitle")} text={t("events.emptyText")} />
        )}
        {logs.length > 0 && (
          <div role="table" aria-label={t("events.list")} aria-busy={events.isPlaceholderData}>
            <div role="rowgroup">
              <div className={headRow} role="row">
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
                    <div
                      className={clsx(bodyRow, shown && "border-transparent bg-hover")}
                      role="row"
                    >
                      <div role="cell" className="min-w-0 max-md:col-start-1">
                        <button
                          type="button"
                          className={rowButton}
                          aria-expanded={shown}
                          aria-controls={shown ? `${id}-${event.id}` : undefined}
                          onClick={() => setOpen(shown ? null : event.id)}
                        >
                          {shown ? (
                            <ChevronDown className="size-3.5 stroke-2" aria-hidden="true" />
                          ) : (
                            <ChevronRight
                              className="size-3.5 stroke-2 rtl:-scale-x-100"
                              aria-hidden="true"
                            />
                          )}
                          <span className="truncate">{nameOf(event)}</span>
                        </button>
                      </div>
                      <div
                        role="cell"
                        className="min-w-0 max-md:col-start-1 max-md:text-xs max-md:text-fg-2"
                      >
                        <span className="block truncate text-fg-2">
                          {event.userId === null ? t("events.nobody") : event.user.username}
                        </span>
                      </div>
                      <div role="cell" className="max-md:col-start-1 max-md:text-xs">
                        <time
                          className="text-xs text-fg-3 tabular-nums"
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
                          className="border-b border-subtle bg-hover px-6 pb-4 max-md:px-4"
                          id={`${id}-${event.id}`}
                          aria-label={t("events.details", {
                            event: nameOf(event),
                            when: exact(event.occurredAt),
                          })}
                        >
                          <dl className="grid grid-cols-[minmax(120px,max-content)_minmax(0,1fr)] gap-x-4 gap-y-1 rounded-md border border-subtle bg-surface px-4 py-3 text-xs max-md:grid-cols-1 max-md:gap-0">
                            <Fact name={t("events.columnWhen")}>
                              <span className="tabular-nums">{exact(event.occurredAt)}</span>
                            </Fact>
                            {facts.map(([name, value]) => (
                              <Fact key={name} name={name}>
                                {value}
                              </Fact>
                            ))}
                          </dl>
                          {facts.length === 0 && (
                            <p className="text-fg-3 text-xs mt-2">{t("events.noDetails")}</p>
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
        <nav
          className="flex flex-none items-center gap-2 border-t border-subtle px-6 py-3 max-md:px-4"
          aria-label={t("events.list")}
        >
          <Button className="max-md:h-10" disabled={page === 0} onClick={() => turnTo(page - 1)}>
            <ChevronLeft className="size-3.5 stroke-2 rtl:-scale-x-100" aria-hidden="true" />
            {t("events.newer")}
          </Button>
          <span className="flex-1" />
          <Button
            className="max-md:h-10"
            disabled={events.isPlaceholderData || !events.data?.hasPages}
            onClick={() => turnTo(page + 1)}
          >
            {t("events.older")}
            <ChevronRight className="size-3.5 stroke-2 rtl:-scale-x-100" aria-hidden="true" />
          </Button>
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
    </ListPane>
  );
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <>
    <dt className="text-fg-3">{name}</dt>
    <dd className="wrap-anywhere whitespace-pre-wrap max-md:mb-1.5">{children}</dd>
  </>
);
