import { useQuery } from "@tanstack/react-query";
import { ChevronDown, FileCheck2, ListFilter, Sheet, Trash2 } from "lucide-react";
import { useMemo, useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../components/ui/button.tsx";
import { ConfirmDialog, Menu } from "../../../components/ui/overlays.tsx";
import { formatAgo } from "../../../lib/format.ts";
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
import { DataTable, TablePages, type Column } from "./data-table.tsx";
import { EventChainBar } from "./event-chain-bar.tsx";
import {
  EventFilters,
  factsOf,
  isByApiKey,
  isByCarrel,
  titleOf,
  useEventName,
} from "./event-filters.tsx";
import { EmptyList, ListPane } from "./settings-page.tsx";

const exact = (iso: string): string =>
  Number.isNaN(Date.parse(iso))
    ? ""
    : new Intl.DateTimeFormat(document.documentElement.lang, {
        dateStyle: "medium",
        timeStyle: "medium",
      }).format(new Date(iso));

function EventDetails({ event }: { event: LoggedEvent }) {
  const { t } = useTranslation("admin");
  const facts = factsOf(event.metadata);
  return (
    <>
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
      {facts.length === 0 && <p className="mt-2 text-xs text-fg-3">{t("events.noDetails")}</p>}
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
  const nameOf = useEventName();
  const narrowed = isNarrowed(search);
  const [filtering, setFiltering] = useState(narrowed);
  const [clearing, setClearing] = useState(false);
  const { page = 1 } = search;
  const events = useQuery(eventsQuery(search));
  const state = useQuery(eventStateQuery).data;
  const save = useExportEvents();
  const clear = useClearEvents();
  const total = events.data?.totalLogs ?? 0;
  const logs = events.data?.logs ?? [];
  const columns = useMemo<Column<LoggedEvent>[]>(
    () => [
      {
        id: "event",
        head: t("events.columnEvent"),
        width: "minmax(0, 1fr)",
        cell: ({ event, metadata }) => (
          <>
            {nameOf(event)}
            {titleOf(metadata) !== null && (
              <bdi className="block truncate text-xs text-fg-3">{titleOf(metadata)}</bdi>
            )}
          </>
        ),
      },
      {
        id: "who",
        head: t("events.columnWho"),
        width: "minmax(0, 0.6fr)",
        cell: ({ metadata, user, userId }) => (
          <span className="block truncate text-fg-2">
            {isByCarrel(metadata)
              ? "Carrel"
              : userId !== null
                ? user.username
                : t(isByApiKey(metadata) ? "events.apiKey" : "events.nobody")}
          </span>
        ),
      },
      {
        id: "when",
        head: t("events.columnWhen"),
        width: "120px",
        cell: ({ occurredAt }) => (
          <time
            className="text-xs text-fg-3 tabular-nums"
            dateTime={occurredAt}
            title={exact(occurredAt)}
          >
            {formatAgo(occurredAt)}
          </time>
        ),
      },
    ],
    [t, nameOf],
  );
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
      <DataTable
        // The details of another page's event stay closed.
        key={page}
        label={t("events.list")}
        columns={columns}
        rows={logs}
        keyOf={(event) => event.id}
        query={events}
        details={{
          of: (event) => <EventDetails event={event} />,
          nameOf: (event) =>
            t("events.details", { event: nameOf(event.event), when: exact(event.occurredAt) }),
        }}
        empty={
          <EmptyList
            title={narrowed ? t("events.noneTitle") : t("events.emptyTitle")}
            text={narrowed ? t("events.noneText") : t("events.emptyText")}
          />
        }
      />
      {(total > 0 || page > 1) && (
        <TablePages
          label={t("events.list")}
          page={page}
          perPage={eventsPerPage}
          count={logs.length}
          total={total}
          isLast={events.isPlaceholderData || !events.data?.hasPages}
          onTurn={(to) => onSearch({ ...search, page: to })}
        />
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
