import {
  type BudgetWire,
  type UsageGrouping,
  usageGroupings,
  type UsageFilter,
  type UsageReport,
} from "@carrel/contracts";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { Download, Plus, X } from "lucide-react";
import { Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { Badge } from "../../../components/ui/badge.tsx";
import { Button, buttonStyles } from "../../../components/ui/button.tsx";
import { Input, Select } from "../../../components/ui/field.tsx";
import { FailedQuery } from "../../../components/ui/notice.tsx";
import { Skeleton } from "../../../components/ui/progress.tsx";
import { Segmented } from "../../../components/ui/segmented.tsx";
import { Card, UsageTiles, nameModel, UsageTable } from "../../../components/usage-figures.tsx";
import { useRights } from "../../../lib/current-user.ts";
import { daysBetween, lastDays } from "../../../lib/days.ts";
import { formatDay, knownCost } from "../../../lib/format-usage.ts";
import { lazyPart } from "../../../lib/lazy-part.ts";
import { apiKeysQuery, budgetsQuery, usageQuery, useSaveCsv, widgetsQuery } from "../api/usage.ts";
import { filterNames, filterOf, type UsageSearch } from "../state/usage-search.ts";
import { BudgetDialog, BudgetProgress } from "./budget-dialog.tsx";
import { OverridesSection } from "./overrides-section.tsx";

const Chart = lazyPart(() => import("./usage-chart.tsx"));
const presets = [7, 30, 90] as const;

/** What models used and cost. Period, filters and grouping are in the address. */
export function UsagePage({
  search,
  onSearch,
}: {
  search: UsageSearch;
  onSearch: (search: UsageSearch) => void;
}) {
  const { t } = useTranslation("usage");
  const { admin } = useRights();
  const [measure, setMeasure] = useState<"tokens" | "cost">("tokens");
  const filter = filterOf(search);
  const { from, to } = filter;
  const usage = useQuery(usageQuery(filter, "day"));
  const save = useSaveCsv();
  const chosen = presets.find((days) => lastDays(days).from === from && lastDays(days).to === to);
  const setPeriod = (period: { from: string; to: string }): void => {
    if (period.from !== "" && period.to !== "" && period.from <= period.to)
      onSearch({ ...search, ...period });
  };
  const filters = filterNames.filter((name) => search[name] !== undefined);
  const byDay = new Map(usage.data?.groups.map((group) => [group.key, group]));
  return (
    <div className="min-h-0 flex-1 overflow-auto">
      <div className="grid max-w-[1080px] grid-cols-1 gap-6 p-6 max-md:p-4">
        <div className="flex flex-wrap items-end gap-3">
          <Segmented
            label={t("period")}
            value={String(chosen ?? "")}
            options={presets.map((days) => ({ value: String(days), label: t(`days_${days}`) }))}
            onChange={(days) => setPeriod(lastDays(Number(days)))}
          />
          {(["from", "to"] as const).map((end) => (
            <label
              key={end}
              className="flex items-center gap-2 text-xs text-fg-3 max-md:flex-col max-md:items-start max-md:gap-1"
            >
              {t(end)}
              <Input
                type="date"
                className="h-8 w-[148px] max-md:h-11"
                value={filter[end]}
                max={lastDays(1).to}
                required
                onChange={(event) => setPeriod({ from, to, [end]: event.target.value })}
              />
            </label>
          ))}
          <span className="flex-1" />
          <Button disabled={save.isPending} onClick={() => save.mutate(filter)}>
            <Download className="size-3.5 stroke-2" aria-hidden="true" />
            {t("download")}
          </Button>
        </div>
        {filters.length > 0 && (
          <ul className="flex flex-wrap gap-2" aria-label={t("filters")}>
            {filters.map((name) => (
              <FilterChip key={name} search={search} name={name} />
            ))}
          </ul>
        )}
        {usage.error && (
          <FailedQuery
            title={t("loadFailed")}
            retryLabel={t("retry")}
            error={usage.error}
            retry={() => void usage.refetch()}
          />
        )}
        {usage.isPending && <Waiting />}
        {usage.data && (
          <>
            <UsageTiles totals={usage.data.totals} />
            <Card
              title={t("perDay")}
              head={
                <Segmented
                  label={t("measure")}
                  value={measure}
                  options={[
                    { value: "tokens", label: t("tokens") },
                    { value: "cost", label: t("cost") },
                  ]}
                  onChange={setMeasure}
                />
              }
            >
              {usage.data.groups.length === 0 ? (
                <p className="py-8 text-center text-fg-3">{t("empty")}</p>
              ) : (
                <Suspense fallback={<div className="h-56" />}>
                  <Chart
                    measure={measure}
                    days={daysBetween(from, to).map((day) => {
                      const use = byDay.get(day);
                      return {
                        day,
                        input: use?.inputTokens ?? 0,
                        output: use?.outputTokens ?? 0,
                        cost: use ? knownCost(use) : 0,
                      };
                    })}
                    label={t("chartOf", {
                      measure: t(measure),
                      from: formatDay(from),
                      to: formatDay(to),
                    })}
                  />
                </Suspense>
              )}
            </Card>
          </>
        )}
        <UsageBreakdown search={search} filter={filter} />
        {admin && <BudgetsSection />}
        {admin && <OverridesSection />}
      </div>
    </div>
  );
}

function FilterChip({ search, name }: { search: UsageSearch; name: (typeof filterNames)[number] }) {
  const { t } = useTranslation("usage");
  const isWidget = name === "widgetId";
  const grouping = isWidget ? "widget" : (name.replace(/Id$/, "") as Exclude<UsageGrouping, "day">);
  const value = search[name];
  // Only the group's own report knows the name of an ID; it is in the cache if a row was clicked.
  const { data } = useQuery({
    ...usageQuery(filterOf(search), grouping === "widget" ? "workspace" : grouping),
    enabled: typeof value === "number" && !isWidget,
  });
  const widgets = useQuery(widgetsQuery(isWidget));
  const found = isWidget
    ? widgets.data?.find(({ id }) => id === value)?.name
    : data?.groups.find((group) => group.key === String(value))?.name;
  const label = `${t(`by.${grouping}`)}: ${found ?? (typeof value === "string" ? nameModel(value) : value)}`;
  return (
    <li>
      <Link
        to="."
        search={{ ...search, [name]: undefined } as never}
        className={buttonStyles({ size: "sm" })}
        aria-label={t("removeFilter", { name: label })}
      >
        {label}
        <X className="size-3.5 stroke-2" aria-hidden="true" />
      </Link>
    </li>
  );
}

function Waiting() {
  const { t } = useTranslation("usage");
  return (
    <div className="grid gap-4" role="status" aria-busy="true" aria-label={t("loading")}>
      {[52, 38, 45].map((width) => (
        <Skeleton key={width} style={{ inlineSize: `${width}%` }} />
      ))}
    </div>
  );
}

/** Limits on usage; for admins. */
function BudgetsSection() {
  const { t } = useTranslation("usage");
  const { multiUser } = useRights();
  const budgets = useQuery(budgetsQuery);
  const keys = useQuery(
    apiKeysQuery(multiUser, budgets.data?.some(({ subject }) => subject === "key") ?? false),
  );
  const [edited, setEdited] = useState<BudgetWire | "new" | null>(null);
  const nameOf = ({ subject, subjectId, name }: BudgetWire): string => {
    if (subject === "instance") return t("budgets.subjects.instance");
    const known = subject === "key" ? keys.data?.find(({ id }) => id === subjectId)?.name : name;
    return known ?? t(`gone.${subject}`, { id: subjectId });
  };
  return (
    <Card
      title={t("budgets.title")}
      head={
        <Button size="sm" onClick={() => setEdited("new")}>
          <Plus className="size-3.5 stroke-2" aria-hidden="true" />
          {t("budgets.add")}
        </Button>
      }
    >
      <p className="max-w-[80ch] text-xs text-fg-3">{t("budgets.text")}</p>
      {budgets.error && (
        <FailedQuery
          title={t("budgets.loadFailed")}
          retryLabel={t("retry")}
          error={budgets.error}
          retry={() => void budgets.refetch()}
        />
      )}
      {budgets.data?.length === 0 && <p className="mt-3 text-fg-2">{t("budgets.none")}</p>}
      <ul className="mt-1">
        {budgets.data?.map((budget) => (
          <li
            key={budget.id}
            className="flex flex-wrap items-center gap-x-4 gap-y-1 border-t border-subtle py-2.5 first:border-t-0"
          >
            <div className="min-w-0 flex-1 max-md:basis-full">
              <p className="truncate font-medium">{nameOf(budget)}</p>
              <BudgetProgress budget={budget} />
            </div>
            <Level budget={budget} />
            <Button
              size="sm"
              aria-label={`${t("budgets.edit")}: ${nameOf(budget)}`}
              onClick={() => setEdited(budget)}
            >
              {t("budgets.edit")}
            </Button>
          </li>
        ))}
      </ul>
      {edited !== null && (
        <BudgetDialog
          budget={edited === "new" ? null : edited}
          name={edited === "new" ? null : nameOf(edited)}
          onClose={() => setEdited(null)}
        />
      )}
    </Card>
  );
}

function Level({ budget: { used, warnAt, stopAt } }: { budget: BudgetWire }) {
  const { t } = useTranslation("usage");
  if (stopAt !== null && used >= stopAt) return <Badge tone="danger">{t("budgets.stopped")}</Badge>;
  return warnAt !== null && used >= warnAt ? (
    <Badge tone="warning">{t("budgets.warned")}</Badge>
  ) : null;
}

const noneOf = { user: "noUser", key: "noKey", workspace: "noWorkspace" } as const;
type Group = UsageReport["groups"][number];

/**
 * The numbers by day, workspace, user, provider, model or API key; clicking a row filters the page
 * by it.
 */
function UsageBreakdown({ search, filter }: { search: UsageSearch; filter: UsageFilter }) {
  const { t } = useTranslation("usage");
  const { admin, multiUser } = useRights();
  const navigate = useNavigate();
  const offered = usageGroupings.filter((grouping) => grouping !== "key" || admin);
  const by = offered.find((grouping) => grouping === search.by) ?? "model";
  const usage = useQuery(usageQuery(filter, by));
  const keys = useQuery(apiKeysQuery(multiUser, admin && by === "key"));
  const nameOf = ({ key, name }: Group): string => {
    if (by === "day") return formatDay(key!);
    if (by === "provider" || by === "model") return nameModel(key!);
    if (key === null) return t(noneOf[by]);
    if (by === "key")
      return keys.data?.find(({ id }) => String(id) === key)?.name ?? t("gone.key", { id: key });
    return name ?? t(`gone.${by}`, { id: key });
  };
  return (
    <Card
      title={t("breakdown")}
      head={
        <Select
          className="h-8 w-auto max-md:h-11"
          aria-label={t("groupBy")}
          value={by}
          onChange={(event) =>
            void navigate({
              to: ".",
              search: { ...search, by: event.target.value } as never,
              replace: true,
            })
          }
        >
          {offered.map((grouping) => (
            <option key={grouping} value={grouping}>
              {t(`by.${grouping}`)}
            </option>
          ))}
        </Select>
      }
    >
      {usage.error && (
        <FailedQuery
          title={t("loadFailed")}
          retryLabel={t("retry")}
          error={usage.error}
          retry={() => void usage.refetch()}
        />
      )}
      {usage.data?.groups.length === 0 && <p className="text-fg-3">{t("empty")}</p>}
      {usage.data && usage.data.groups.length > 0 && (
        <UsageTable
          label={t("breakdown")}
          by={by}
          groups={usage.data.groups}
          isBusy={usage.isPlaceholderData}
          renderName={(group) => (
            <GroupName by={by} group={group} name={nameOf(group)} search={search} />
          )}
        />
      )}
    </Card>
  );
}

/** A link that filters the page by the group, unless it has no ID. */
function GroupName({
  by,
  group,
  name,
  search,
}: {
  by: UsageGrouping;
  group: Group;
  name: string;
  search: UsageSearch;
}) {
  const { t } = useTranslation("usage");
  if (group.key === null) return <span className="text-fg-2">{name}</span>;
  const limits: UsageSearch =
    by === "day"
      ? { from: group.key, to: group.key }
      : by === "provider" || by === "model"
        ? { [by]: group.key }
        : { [`${by}Id`]: Number(group.key) };
  return (
    <Link
      to="."
      search={{ ...search, ...limits } as never}
      className="inline-block min-h-6 font-medium hover:underline"
      title={t("filterBy", { name })}
    >
      {name}
    </Link>
  );
}
