import type { listAllWatches, Out } from "@carrel/contracts";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import {
  ArrowLeft,
  CircleAlert,
  Eye,
  EyeOff,
  RefreshCw,
  Settings2,
  TriangleAlert,
} from "lucide-react";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { FaultText } from "../../../components/fault-text.tsx";
import { WatchDialog } from "../../../components/live-sync/watch-dialog.tsx";
import { SourceIcon } from "../../../components/source/source-icon.tsx";
import { linkStyles } from "../../../components/ui/styles.ts";
import { cn } from "../../../lib/cn.ts";
import { formatAgo, joinFacts, joinNames } from "../../../lib/format.ts";
import { intervalWords, isInTrouble, nextWords, watchWords } from "../../../lib/sync-words.ts";
import { allWatchesQuery, useSyncNow, useWatchAnything } from "../../../lib/watches.ts";
import { DataTable, type Column } from "./data-table.tsx";
import { EmptyList, ListPane, PhoneLabel, RowCount } from "./settings-page.tsx";

type Watched = Out<typeof listAllWatches>["watches"][number];

/** The first workspace that contains it: its calls go there. */
const slugOf = ({ workspaces }: Watched): string => workspaces[0]?.slug ?? "";

/** Everything on the instance that is kept in sync with its source. */
export function WatchedPage() {
  const { t } = useTranslation("live-sync");
  const watches = useQuery(allWatchesQuery);
  const [openId, setOpenId] = useState<number | null>(null);
  const rows = watches.data?.watches ?? [];
  const open = rows.find(({ id }) => id === openId);
  const sync = useSyncNow();
  const setWatched = useWatchAnything();
  const columns = useColumns();
  const back = (
    <Link
      className={cn(linkStyles, "inline-flex min-h-6 items-center gap-1 text-xs")}
      to="/settings/$"
      params={{ _splat: "beta-features" }}
    >
      <ArrowLeft className="size-3.5 stroke-2 rtl:-scale-x-100" aria-hidden="true" />
      {t("queue.back")}
    </Link>
  );
  if (watches.data?.enabled === false)
    return (
      <ListPane label={t("queue.title")}>
        <EmptyList title={t("queue.offTitle")} text={t("queue.offText")}>
          {back}
        </EmptyList>
      </ListPane>
    );
  return (
    <ListPane
      label={t("queue.title")}
      head={
        <>
          {back}
          <span className="flex-1" />
          <RowCount>{t("queue.count", { count: rows.length })}</RowCount>
        </>
      }
    >
      <DataTable
        label={t("queue.title")}
        columns={columns}
        rows={rows}
        keyOf={({ id }) => id}
        nameOf={({ title }) => title}
        initialSort={{ column: "next", down: false }}
        query={watches}
        menuOf={(watch) => [
          { label: t("settings"), icon: Settings2, run: () => setOpenId(watch.id) },
          ...(watch.state === "waiting"
            ? [
                {
                  label: t("syncNow"),
                  icon: RefreshCw,
                  run: () => sync.mutate({ slug: slugOf(watch), watchId: watch.id }),
                },
              ]
            : []),
          ...(watch.state === "stopped"
            ? [
                {
                  label: t("watchAgain"),
                  icon: Eye,
                  run: () => setWatched(slugOf(watch), watch, true),
                },
              ]
            : []),
          { label: t("unwatch"), icon: EyeOff, run: () => setWatched(slugOf(watch), watch, false) },
        ]}
        empty={<EmptyList title={t("queue.emptyTitle")} text={t("queue.emptyText")} />}
      />
      {open && watches.data && (
        <WatchDialog
          slug={slugOf(open)}
          watch={open}
          defaultInterval={watches.data.defaultIntervalSeconds}
          onClose={() => setOpenId(null)}
        />
      )}
    </ListPane>
  );
}

function WatchState({ watch }: { watch: Watched }) {
  const isStopped = watch.state === "stopped";
  const [Icon, color] = isStopped
    ? [CircleAlert, "text-danger"]
    : isInTrouble(watch)
      ? [TriangleAlert, "text-warning"]
      : watch.state === "syncing"
        ? [RefreshCw, "text-accent"]
        : [Eye, "text-accent"];
  return (
    <div className="grid grid-cols-[14px_minmax(0,1fr)] gap-x-1.5 text-xs text-fg-2">
      <Icon className={cn("mt-[3px] size-3.5 stroke-2", color)} aria-hidden="true" />
      <span>{watchWords(watch)}</span>
      {watch.fault && (
        <span className={isStopped ? "col-start-2 text-danger" : "col-start-2 text-fg-3"}>
          <FaultText fault={watch.fault} fallback="" />
        </span>
      )}
    </div>
  );
}

function useColumns(): Column<Watched>[] {
  const { t } = useTranslation("live-sync");
  return useMemo(
    () => [
      {
        id: "name",
        head: t("queue.name"),
        width: "minmax(0, 2fr)",
        sortBy: ({ title }) => title,
        cell: ({ title, document, connector, workspaces }) => (
          <div className="flex items-center gap-3">
            <SourceIcon id={connector} />
            <div className="min-w-0">
              <b className="block truncate font-medium" title={title}>
                <bdi>{title}</bdi>
              </b>
              <span className="block truncate text-xs text-fg-3">
                {joinFacts([
                  document === null && t("queue.wholeSource"),
                  t("queue.in", { names: joinNames(workspaces.map(({ name }) => name)) }),
                ])}
              </span>
            </div>
          </div>
        ),
      },
      {
        id: "state",
        head: t("queue.state"),
        width: "minmax(0, 1.4fr)",
        cell: (watch) => <WatchState watch={watch} />,
      },
      {
        id: "interval",
        head: t("queue.interval"),
        width: "90px",
        sortBy: ({ intervalSeconds }) => intervalSeconds,
        hiddenBelow: "lg",
        cell: ({ intervalSeconds }) => (
          <span className="text-xs text-fg-2 tabular-nums">
            <PhoneLabel>{t("queue.interval")}</PhoneLabel>
            {intervalWords(intervalSeconds)}
          </span>
        ),
      },
      {
        id: "last",
        head: t("queue.last"),
        width: "100px",
        sortBy: ({ lastSyncedAt }) => lastSyncedAt ?? "",
        hiddenBelow: "lg",
        cell: ({ lastSyncedAt }) => (
          <span className="text-xs text-fg-2 tabular-nums">
            <PhoneLabel>{t("queue.last")}</PhoneLabel>
            {lastSyncedAt === null ? t("dialog.never") : formatAgo(lastSyncedAt)}
          </span>
        ),
      },
      {
        id: "next",
        head: t("queue.next"),
        width: "120px",
        sortBy: ({ nextSyncAt }) => nextSyncAt ?? "",
        cell: ({ nextSyncAt }) => (
          <span className="text-xs text-fg-2 tabular-nums">
            <PhoneLabel>{t("queue.next")}</PhoneLabel>
            {nextWords(nextSyncAt) ?? t("dialog.none")}
          </span>
        ),
      },
    ],
    [t],
  );
}
