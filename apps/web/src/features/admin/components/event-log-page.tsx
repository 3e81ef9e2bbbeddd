import { useQuery } from "@tanstack/react-query";
import {
  ChevronDown,
  ChevronLeft,
  ChevronRight,
  FileCheck2,
  ListFilter,
  Sheet,
  Trash2,
} from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../components/ui/button.tsx";
import { ConfirmDialog } from "../../../components/ui/dialogs.tsx";
import { FailedQuery } from "../../../components/ui/failed-query.tsx";
import { Menu } from "../../../components/ui/menu.tsx";
import { Skeleton } from "../../../components/ui/skeleton.tsx";
import { formatNumber } from "../../../lib/format.ts";
import { toast } from "../../../lib/toast.ts";
import { useIsPhone } from "../../../lib/use-is-phone.ts";
import {
  eventsPerPage,
  eventsQuery,
  eventStateQuery,
  useClearEvents,
  useExportEvents,
} from "../api/events.ts";
import { isNarrowed, type EventSearch } from "../state/event-search.ts";
import { EmptyList } from "./data-table.tsx";
import { EventChainBar } from "./event-chain-bar.tsx";
import { EventFilters } from "./event-filters.tsx";
import { EventRow } from "./event-row.tsx";
import { ListPane } from "./list-pane.tsx";
import { headRow, scrollArea } from "./row-styles.ts";

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
