import type { listAllWatches, Out } from "@carrel/contracts";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { EyeOff, RefreshCw, Settings2 } from "lucide-react";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { FaultText } from "../../../components/fault-text.tsx";
import { WatchDialog } from "../../../components/live-sync/watch-dialog.tsx";
import { buttonStyles } from "../../../components/ui/button.tsx";
import { formatAgo } from "../../../lib/format.ts";
import { intervalWords, isInTrouble, nextWords, watchWords } from "../../../lib/sync-words.ts";
import { allWatchesQuery, useSyncNow, useUnwatch } from "../../../lib/watches.ts";
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
  const unwatch = useUnwatch();
  const columns = useColumns();
  const back = (
    <Link
      className={buttonStyles({ variant: "quiet" })}
      to="/settings/$"
      params={{ _splat: "beta-features" }}
    >
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
          <RowCount>{t("queue.count", { count: rows.length })}</RowCount>
          <span className="flex-1" />
          {back}
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
          { label: t("unwatch"), icon: EyeOff, run: () => unwatch(slugOf(watch), watch) },
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

function useColumns(): Column<Watched>[] {
  const { t } = useTranslation("live-sync");
  return useMemo(
    () => [
      {
        id: "name",
        head: t("queue.name"),
        width: "minmax(0, 2fr)",
        sortBy: ({ title }) => title,
        cell: ({ title, document, workspaces }) => (
          <>
            <b className="block truncate font-medium" title={title}>
              <bdi>{title}</bdi>
            </b>
            <span className="block truncate text-xs text-fg-3">
              {[
                document === null && t("queue.wholeSource"),
                t("queue.in", { names: workspaces.map(({ name }) => name).join(", ") }),
              ]
                .filter(Boolean)
                .join(" · ")}
            </span>
          </>
        ),
      },
      {
        id: "state",
        head: t("queue.state"),
        width: "minmax(0, 1.4fr)",
        cell: (watch) => (
          <span className={isInTrouble(watch) ? "text-xs text-danger" : "text-xs text-fg-2"}>
            {watchWords(watch)}
            {watch.fault && (
              <span className="block">
                <FaultText fault={watch.fault} fallback="" />
              </span>
            )}
          </span>
        ),
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
