import type { UsageConditions } from "./usage-filter.ts";
import { dimensions, firstTokenBins, summed, summedNames } from "./usage-sums.ts";

/** A report's period: moments of PostgreSQL, as text. */
export interface UsagePeriod {
  from: string;
  to: string;
  /** The days of UTC that are in it completely begin here, and end there. */
  firstDay: string;
  end: string;
}

/**
 * A query of a report's calls or of sums of them, as rows with a moment `at`, the summed columns and
 * mostly the dimensions. Each call is in it once, because one snapshot has it either in the sums or
 * pending.
 */
export interface UsageSource {
  sql: string;
  values: unknown[];
}

const selectCalls = `SELECT u.used_at AS at, ${dimensions.map((name) => `u.${name}`).join(", ")},
  ${Object.entries(summed)
    .map(([name, added]) => `${added} AS ${name}`)
    .join(", ")},
  ${firstTokenBins} AS bins`;
const selectPending = `${selectCalls}
  FROM usage_pending p
  JOIN model_usage u ON u.id = p.usage_id`;

/** Single calls: exact for any period. */
export function readCalls(limits: UsageConditions, { from, to }: UsagePeriod): UsageSource {
  const values: unknown[] = [from, to];
  return {
    sql: `${selectCalls} FROM model_usage u
      WHERE u.used_at >= $1::timestamptz AND u.used_at < $2::timestamptz
        AND ${limits.toSql("u", values)}`,
    values,
  };
}

/**
 * Sums of whole days of UTC, and single calls before and after them: exact for any period, but only
 * days of UTC have an `at`.
 */
export function readDays(limits: UsageConditions, period: UsagePeriod): UsageSource {
  if (period.firstDay >= period.end) return readCalls(limits, period);
  const values: unknown[] = [period.from, period.to, period.firstDay, period.end];
  const ofCall = limits.toSql("u", values);
  return {
    sql: `SELECT s.day::timestamp AT TIME ZONE 'UTC' AS at, ${dimensions.join(", ")},
        ${summedNames.join(", ")}, first_token_bins AS bins
      FROM usage_day s
      WHERE s.day >= ($3::timestamptz AT TIME ZONE 'UTC')::date
        AND s.day < ($4::timestamptz AT TIME ZONE 'UTC')::date
        AND ${limits.toSql("s", values)}
      UNION ALL
      ${selectPending}
      WHERE u.used_at >= $3::timestamptz AND u.used_at < $4::timestamptz AND ${ofCall}
      UNION ALL
      ${selectCalls} FROM model_usage u
      WHERE u.used_at >= $1::timestamptz AND u.used_at < $3::timestamptz AND ${ofCall}
      UNION ALL
      ${selectCalls} FROM model_usage u
      WHERE u.used_at >= $4::timestamptz AND u.used_at < $2::timestamptz AND ${ofCall}`,
    values,
  };
}

/** Sums by hour, without dimensions: exact if the days begin with an hour of UTC. */
export function readHours(
  limits: UsageConditions,
  { dimension, key }: NonNullable<UsageConditions["hours"]>,
  { from, to }: UsagePeriod,
): UsageSource {
  const values: unknown[] = [from, to, dimension, key];
  const names = summedNames.join(", ");
  return {
    sql: `SELECT s.hour AS at, ${names}
      FROM usage_hour s
      WHERE s.dimension = $3 AND s.key = $4
        AND s.hour >= $1::timestamptz AND s.hour < $2::timestamptz
      UNION ALL
      SELECT at, ${names} FROM (
        ${selectPending}
        WHERE u.used_at >= $1::timestamptz AND u.used_at < $2::timestamptz
          AND ${limits.toSql("u", values)}
      ) pending`,
    values,
  };
}
