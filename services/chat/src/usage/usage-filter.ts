import type { UsageFilter } from "@carrel/contracts";

/** Whose use is read: one person's own, or everyone's. */
export type UsageOwner = { userId: number | null } | "everyone";

/** What the hourly sums cover: everything, or one workspace, user and so on. */
export type UsageDimension = "all" | "workspace" | "user" | "provider" | "model" | "key";

/** Limits of a report, apart from its period. */
export interface UsageConditions {
  /** SQL condition on a table with the columns of a call; its values are added to `values`. */
  toSql: (table: string, values: unknown[]) => string;
  /** The hourly sums with the same limits; null if there are none. */
  hours: { dimension: UsageDimension; key: string } | null;
  /** True if no sums have these limits, so only single calls can be read. */
  isOfCallsOnly: boolean;
}

export function readLimits(owner: UsageOwner, filter: UsageFilter): UsageConditions {
  const limits = (
    [
      ["workspace", "workspace_id", filter.workspaceId],
      ["user", "user_id", filter.userId],
      ["provider", "provider", filter.provider],
      ["model", "model", filter.model],
      ["key", "key_id", filter.keyId],
    ] as const
  ).filter(([, , value]) => value !== undefined);
  const ofCalls: [string, number][] =
    filter.widgetId === undefined ? [] : [["widget_id", filter.widgetId]];
  const hours = limits.map(([dimension, , value]) => ({ dimension, key: String(value) }));
  if (owner !== "everyone") hours.push({ dimension: "user", key: String(owner.userId ?? "") });
  return {
    toSql(table, values) {
      const tests = [...limits.map(([, column, value]) => [column, value]), ...ofCalls].map(
        ([column, value]) => `${table}.${column} = $${values.push(value)}`,
      );
      if (owner !== "everyone") {
        // `=`, because no index finds null with IS NOT DISTINCT FROM.
        tests.push(
          owner.userId === null
            ? `${table}.user_id IS NULL`
            : `${table}.user_id = $${values.push(owner.userId)}::int`,
          `${table}.key_id IS NULL`,
        );
      }
      return tests.length === 0 ? "true" : tests.join(" AND ");
    },
    isOfCallsOnly: ofCalls.length > 0,
    hours:
      hours.length > 1 || ofCalls.length > 0 ? null : (hours[0] ?? { dimension: "all", key: "" }),
  };
}
