import {
  usageGroupings,
  type UsageFilter,
  type UsageGrouping,
  type UsageReport,
} from "@carrel/contracts";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { Select } from "../../../components/ui/field.tsx";
import { FailedQuery } from "../../../components/ui/notice.tsx";
import { Card, UsageTable, nameModel } from "../../../components/usage-figures.tsx";
import { useRights } from "../../../lib/current-user.ts";
import { formatDay } from "../../../lib/format-usage.ts";
import { apiKeysQuery, usageQuery } from "../api/usage.ts";
import type { UsageSearch } from "../state/usage-search.ts";

const noneOf = { user: "noUser", key: "noKey", workspace: "noWorkspace" } as const;
type Group = UsageReport["groups"][number];

/**
 * The numbers by day, workspace, user, provider, model or API key; clicking a row filters the page
 * by it.
 */
export function UsageBreakdown({ search, filter }: { search: UsageSearch; filter: UsageFilter }) {
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
