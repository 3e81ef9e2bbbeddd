import { useQuery } from "@tanstack/react-query";
import { clsx } from "clsx";
import {
  ChevronDown,
  ChevronLeft,
  ChevronRight,
  FileCheck2,
  ListFilter,
  Sheet,
  Trash2,
} from "lucide-react";
import { useId, useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../components/ui/button.tsx";
import { ConfirmDialog } from "../../../components/ui/dialogs.tsx";
import { Menu } from "../../../components/ui/menu.tsx";
import { FailedQuery } from "../../../components/ui/notice.tsx";
import { Skeleton } from "../../../components/ui/progress.tsx";
import { formatAgo, formatNumber } from "../../../lib/format.ts";
import { toast } from "../../../lib/toast.ts";
import { useIsPhone } from "../../../lib/use-is-phone.ts";
import {
  eventStateQuery,
  eventsPerPage,
  eventsQuery,
  useClearEvents,
  useExportEvents,
  type LoggedEvent,
} from "../api/events.ts";
import { isNarrowed, type EventSearch } from "../state/page-search.ts";
import { EmptyList, bodyRow, headRow, rowButton, scrollArea } from "./data-table.tsx";
import { EventChainBar } from "./event-chain-bar.tsx";
import { EventFilters, factsOf, isByApiKey, useEventName } from "./event-filters.tsx";
import { ListPane } from "./settings-page.tsx";

const exact = (iso: string): string =>
  Number.isNaN(Date.parse(iso))
    ? ""
    : new Intl.DateTimeFormat(document.documentElement.lang, {
        dateStyle: "medium",
        timeStyle: "medium",
      }).format(new Date(iso));

/** One entry, whose details open below it. */
function EventRow({
  event,
  isOpen,
  onToggle,
}: {
  event: LoggedEvent;
  isOpen: boolean;
  onToggle: () => void;
}) {
  const { t } = useTranslation("admin");
  const id = useId();
  const name = useEventName()(event.event);
  const nobody = isByApiKey(event.metadata) ? t("events.apiKey") : t("events.nobody");
  const facts = isOpen ? factsOf(event.metadata) : [];
  return (
    <>
      <div className={clsx(bodyRow, isOpen && "border-transparent bg-hover")} role="row">
        <div role="cell" className="min-w-0 max-md:col-start-1">
          <button
            type="button"
            className={rowButton}
            aria-expanded={isOpen}
            aria-controls={isOpen ? id : undefined}
            onClick={onToggle}
          >
            {isOpen ? (
              <ChevronDown className="size-3.5 stroke-2" aria-hidden="true" />
            ) : (
              <ChevronRight className="size-3.5 stroke-2 rtl:-scale-x-100" aria-hidden="true" />
            )}
            <span className="truncate">{name}</span>
          </button>
        </div>
        <div role="cell" className="min-w-0 max-md:col-start-1 max-md:text-xs max-md:text-fg-2">
          <span className="block truncate text-fg-2">
            {event.userId === null ? nobody : event.user.username}
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
      {isOpen && (
        <div role="row">
          <div
            role="cell"
            aria-colspan={3}
            className="border-b border-subtle bg-hover px-6 pb-4 max-md:px-4"
            id={id}
            aria-label={t("events.details", {
              event: name,
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
    </>
  );
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <>
    <dt className="text-fg-3">{name}</dt>
    <dd className="wrap-anywhere whitespace-pre-wrap max-md:mb-1.5">{children}</dd>
  </>
);

/** The instance's event log, newest first, ten per page. Filters and page are in the address. */
export function EventLogPage({
  search,
  onSearch,
}: {
  search: EventSearch;
  onSearch: (search: EventSearch) => void;
}) {
  const { t } = useTranslation("admin");
  const isPhone = useIsPhone();
  const narrowed = isNarrowed(search);
  const [filtering, setFiltering] = useState(narrowed);
  const [open, setOpen] = useState<number | null>(null);
  const [clearing, setClearing] = useState(false);
  const { page = 1 } = search;
  const events = useQuery(eventsQuery(search));
  const state = useQuery(eventStateQuery).data;
  const save = useExportEvents();
  const clear = useClearEvents();
  const turnTo = (to: number): void => {
    setOpen(null);
    onSearch({ ...search, page: to });
  };
  const total = events.data?.totalLogs ?? 0;
  const logs = events.data?.logs ?? [];
  const exportAs = (format: "jsonl" | "csv"): void => save.mutate({ format, search });
  return (
    <ListPane
      label={t("events.list")}
      head={
        <>
          {isPhone && (
            <Button
              aria-expanded={filtering}
              className="flex-1"
              onClick={() => setFiltering(!filtering)}
            >
              <ListFilter className="size-3.5 stroke-2" aria-hidden="true" />
              {t("events.filters")}
            </Button>
          )}
          {!isPhone && <EventFilters search={search} state={state} onSearch={onSearch} />}
          <div className="ms-auto flex gap-2 max-md:contents">
            <Menu
              trigger={
                <Button disabled={save.isPending} className="max-md:flex-1">
                  {save.isPending ? t("events.exporting") : t("events.export")}
                  <ChevronDown className="size-3.5 stroke-2" aria-hidden="true" />
                </Button>
              }
              items={[
                {
                  label: t("events.exportChain"),
                  icon: FileCheck2,
                  run: () => exportAs("jsonl"),
                },
                {
                  label: narrowed ? t("events.exportFound") : t("events.exportTable"),
                  icon: Sheet,
                  run: () => exportAs("csv"),
                },
              ]}
            />
            {(total > 0 || narrowed) && (
              <Button className="max-md:flex-1" onClick={() => setClearing(true)}>
                <Trash2 className="size-3.5 stroke-2" aria-hidden="true" />
                {t("events.clear")}
              </Button>
            )}
          </div>
          {isPhone && filtering && (
            <EventFilters search={search} state={state} onSearch={onSearch} />
          )}
        </>
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
        {events.isSuccess && logs.length === 0 && (
          <EmptyList
            title={narrowed ? t("events.noneTitle") : t("events.emptyTitle")}
            text={narrowed ? t("events.noneText") : t("events.emptyText")}
          />
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
              {logs.map((event) => (
                <EventRow
                  key={event.id}
                  event={event}
                  isOpen={open === event.id}
                  onToggle={() => setOpen(open === event.id ? null : event.id)}
                />
              ))}
            </div>
          </div>
        )}
      </div>
      {(total > 0 || page > 1) && (
        <nav
          className="flex flex-none items-center gap-2 border-t border-subtle px-6 py-3 max-md:px-4"
          aria-label={t("events.list")}
        >
          <Button size="sm" disabled={page === 1} onClick={() => turnTo(page - 1)}>
            <ChevronLeft className="size-3.5 stroke-2 rtl:-scale-x-100" aria-hidden="true" />
            {t("events.newer")}
          </Button>
          <span className="flex-1 text-center text-xs text-fg-3 tabular-nums" role="status">
            {logs.length > 0 &&
              t("events.page", {
                from: formatNumber((page - 1) * eventsPerPage + 1),
                to: formatNumber((page - 1) * eventsPerPage + logs.length),
                total: formatNumber(total),
              })}
          </span>
          <Button
            size="sm"
            disabled={events.isPlaceholderData || !events.data?.hasPages}
            onClick={() => turnTo(page + 1)}
          >
            {t("events.older")}
            <ChevronRight className="size-3.5 stroke-2 rtl:-scale-x-100" aria-hidden="true" />
          </Button>
        </nav>
      )}
      {state && <EventChainBar state={state} />}
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
                setOpen(null);
                onSearch({});
                toast.success(t("events.cleared"));
              },
            })
          }
        />
      )}
    </ListPane>
  );
}
