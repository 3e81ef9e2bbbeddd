import { getOwnUsage, type In } from "@carrel/contracts";
import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { FailedQuery } from "../../../components/ui/failed-query.tsx";
import { Select } from "../../../components/ui/input.tsx";
import { Segmented } from "../../../components/ui/segmented.tsx";
import { Skeleton } from "../../../components/ui/skeleton.tsx";
import { nameModel } from "../../../components/usage/name-model.ts";
import { UsageTable } from "../../../components/usage/usage-table.tsx";
import "../../../components/usage/usage-texts.ts";
import { UsageTiles } from "../../../components/usage/usage-tiles.tsx";
import { call } from "../../../lib/api.ts";
import { lastDays } from "../../../lib/days.ts";
import { formatDay } from "../../../lib/format-usage.ts";

type OwnGrouping = NonNullable<In<typeof getOwnUsage>["groupBy"]>;

/** Always refetched, because every answer changes it. */
const ownUsageQuery = (days: number, groupBy: OwnGrouping) =>
  queryOptions({
    queryKey: ["own-usage", days, groupBy],
    queryFn: ({ signal }) => {
      const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
      return call(getOwnUsage, { ...lastDays(days), timeZone, groupBy }, { signal });
    },
    placeholderData: keepPreviousData,
    staleTime: 0,
  });

const periods = [7, 30, 90] as const;
const groupings: OwnGrouping[] = ["model", "day", "workspace", "provider"];

/** What the user's own questions used and cost. */
export function UsageTab() {
  const { t } = useTranslation("usage");
  const [days, setDays] = useState(30);
  const [by, setBy] = useState<OwnGrouping>("model");
  const usage = useQuery(ownUsageQuery(days, by));
  return (
    <section className="grid grid-cols-1 content-start gap-5">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <Segmented
          label={t("period")}
          value={String(days)}
          options={periods.map((each) => ({ value: String(each), label: t(`days_${each}`) }))}
          onChange={(each) => setDays(Number(each))}
        />
        <Select
          className="h-8 w-auto max-md:h-11"
          aria-label={t("groupBy")}
          value={by}
          onChange={(event) => setBy(event.target.value as OwnGrouping)}
        >
          {groupings.map((grouping) => (
            <option key={grouping} value={grouping}>
              {t(`by.${grouping}`)}
            </option>
          ))}
        </Select>
      </div>
      {usage.isPending && (
        <div className="grid gap-3" role="status" aria-label={t("loading")}>
          {[70, 52].map((width) => (
            <Skeleton key={width} style={{ inlineSize: `${width}%` }} />
          ))}
        </div>
      )}
      {usage.error && (
        <FailedQuery
          title={t("loadFailed")}
          retryLabel={t("retry")}
          error={usage.error}
          retry={() => void usage.refetch()}
        />
      )}
      {usage.data && <UsageTiles totals={usage.data.totals} isNarrow />}
      {usage.data?.groups.length === 0 && <p className="text-fg-3">{t("empty")}</p>}
      {usage.data && usage.data.groups.length > 0 && (
        <UsageTable
          label={t("breakdown")}
          by={by}
          groups={usage.data.groups}
          isBusy={usage.isPlaceholderData}
          renderName={({ key, name }) =>
            by === "day"
              ? formatDay(key!)
              : by === "workspace"
                ? (name ?? (key === null ? t("noWorkspace") : t("gone.workspace", { id: key })))
                : nameModel(key!)
          }
        />
      )}
    </section>
  );
}
