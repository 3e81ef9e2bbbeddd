import {
  maxUsageGroups,
  type UsageFilter,
  type UsageGrouping,
  type UsageReport,
} from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import { DataSource } from "typeorm";
import { queryRows } from "../database/query-rows.ts";
import { readLimits, type UsageConditions, type UsageOwner } from "./usage-list.repository.ts";
import { binRatio, dimensions, firstTokenBins, summed, summedNames } from "./usage-summer.ts";

/** A report's period: moments of PostgreSQL, as text. */
interface UsagePeriod {
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
interface UsageSource {
  sql: string;
  values: unknown[];
}

const selectCalls = `SELECT u.used_at AS at, ${dimensions.map((name) => `u.${name}`).join(", ")},
  ${Object.entries(summed)
    .map(([name, added]) => `${added} AS ${name}`)
    .join(", ")},
  ${firstTokenBins} AS bins`;
const selectPending = `${selectCalls}
  FROM chat.usage_pending p
  JOIN chat.model_usage u ON u.id = p.usage_id`;

/** Single calls: exact for any period. */
function readCalls(limits: UsageConditions, { from, to }: UsagePeriod): UsageSource {
  const values: unknown[] = [from, to];
  return {
    sql: `${selectCalls} FROM chat.model_usage u
      WHERE u.used_at >= $1::timestamptz AND u.used_at < $2::timestamptz
        AND ${limits.toSql("u", values)}`,
    values,
  };
}

/**
 * Sums of whole days of UTC, and single calls before and after them: exact for any period, but only
 * days of UTC have an `at`.
 */
function readDays(limits: UsageConditions, period: UsagePeriod): UsageSource {
  if (period.firstDay >= period.end) return readCalls(limits, period);
  const values: unknown[] = [period.from, period.to, period.firstDay, period.end];
  const ofCall = limits.toSql("u", values);
  return {
    sql: `SELECT s.day::timestamp AT TIME ZONE 'UTC' AS at, ${dimensions.join(", ")},
        ${summedNames.join(", ")}, first_token_bins AS bins
      FROM chat.usage_day s
      WHERE s.day >= ($3::timestamptz AT TIME ZONE 'UTC')::date
        AND s.day < ($4::timestamptz AT TIME ZONE 'UTC')::date
        AND ${limits.toSql("s", values)}
      UNION ALL
      ${selectPending}
      WHERE u.used_at >= $3::timestamptz AND u.used_at < $4::timestamptz AND ${ofCall}
      UNION ALL
      ${selectCalls} FROM chat.model_usage u
      WHERE u.used_at >= $1::timestamptz AND u.used_at < $3::timestamptz AND ${ofCall}
      UNION ALL
      ${selectCalls} FROM chat.model_usage u
      WHERE u.used_at >= $4::timestamptz AND u.used_at < $2::timestamptz AND ${ofCall}`,
    values,
  };
}

/** Sums by hour, without dimensions: exact if the days begin with an hour of UTC. */
function readHours(
  limits: UsageConditions,
  { dimension, key }: NonNullable<UsageConditions["hours"]>,
  { from, to }: UsagePeriod,
): UsageSource {
  const values: unknown[] = [from, to, dimension, key];
  const names = summedNames.join(", ");
  return {
    sql: `SELECT s.hour AS at, ${names}
      FROM chat.usage_hour s
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

type SumRow = Record<Exclude<keyof typeof summed, "cost">, number> & {
  key: string | null;
  cost: number | null;
};

const keys: Record<UsageGrouping, string> = {
  day: "(at AT TIME ZONE %)::date::text",
  workspace: "workspace_id::text",
  user: "user_id::text",
  provider: "provider",
  model: "model",
  key: "key_id::text",
};
/**
 * Above this many answers, the median is taken from one in `sampleOf` of those in the daily sums.
 */
const sampledAbove = 100_000;
const sampleOf = 8;

@Injectable()
export class UsageReportRepository {
  constructor(private readonly dataSource: DataSource) {}

  async report(
    owner: UsageOwner,
    filter: UsageFilter,
    groupBy: UsageGrouping,
  ): Promise<UsageReport> {
    const limits = readLimits(owner, filter);
    const period = await this.findPeriod(filter);
    const days = limits.isOfCallsOnly ? readCalls(limits, period) : readDays(limits, period);
    const source =
      groupBy !== "day" || period.isUtc
        ? days
        : limits.hours !== null && period.hasWholeHours
          ? readHours(limits, limits.hours, period)
          : readCalls(limits, period);
    const rows = await this.sumUp(source, groupBy, filter.timeZone);
    const all = rows.map((row) => ({ ...mapSums(row), key: row.key, name: null }));
    const totals = addUp(all);
    return {
      totals: { ...totals, medianFirstTokenMs: await this.findMedian(days, totals.answers) },
      groups: groupBy === "day" ? all : all.slice(0, maxUsageGroups),
    };
  }

  /** For a day without calls, it doesn't matter when it begins. */
  private async findPeriod({
    from,
    to,
    timeZone,
  }: UsageFilter): Promise<UsagePeriod & { isUtc: boolean; hasWholeHours: boolean }> {
    const [row] = await queryRows<UsagePeriod & { seconds: string | null; odd: string | null }>(
      this.dataSource,
      `SELECT b.from::text, b.to::text,
        (date_trunc('day', b.from + interval '24 hours' - interval '1 microsecond', 'UTC'))::text
          AS "firstDay",
        date_trunc('day', b.to, 'UTC')::text AS end,
        o.seconds, o.odd
      FROM (
        SELECT $1::date::timestamp AT TIME ZONE $3 AS from,
          ($2::date + 1)::timestamp AT TIME ZONE $3 AS to
      ) b
      CROSS JOIN LATERAL (
        SELECT sum(start % 86400) AS seconds, sum(start % 3600) AS odd
        FROM (
          SELECT extract(epoch FROM day AT TIME ZONE $3)::bigint AS start
          FROM generate_series(
            greatest($1::date, (SELECT min(day) FROM chat.usage_day) - 1)::timestamp,
            least($2::date + 1, current_date + 2)::timestamp,
            '1 day'
          ) AS day
        ) starts
      ) o`,
      [from, to, timeZone],
    );
    const { seconds, odd, ...period } = row!;
    return { ...period, isUtc: Number(seconds ?? 0) === 0, hasWholeHours: Number(odd ?? 0) === 0 };
  }

  private sumUp(
    { sql, values }: UsageSource,
    groupBy: UsageGrouping,
    timeZone: string,
  ): Promise<SumRow[]> {
    const isByDay = groupBy === "day";
    const key = keys[groupBy].replace("%", `$${values.length + 1}`);
    return queryRows<SumRow>(
      this.dataSource,
      // Floating point is exact up to 9e15, and many times faster than PostgreSQL's sums of bigint.
      `SELECT ${key} AS key,
        ${summedNames.map((name) => `sum(${name}::float8) AS ${name}`).join(", ")}
      FROM (${sql}) used
      GROUP BY 1
      ORDER BY ${isByDay ? "" : "cost DESC NULLS LAST, sum(input_tokens + output_tokens) DESC,"} key`,
      isByDay ? [...values, timeZone] : values,
    );
  }

  /** Counted in bins, because sorting a million times would take longer than everything else. */
  private async findMedian({ sql, values }: UsageSource, answers: number): Promise<number | null> {
    const step = answers > sampledAbove ? sampleOf : 1;
    const bins = await queryRows<{ bin: number; calls: string }>(
      this.dataSource,
      // Many answers are sampled: every eighth of a day's, and single ones by their hashes.
      `SELECT bins[place] AS bin, count(*) AS calls
      FROM (${sql}) used,
        generate_series(
          1 + abs(hashint8((input_tokens + output_tokens)::bigint) % ${step}), cardinality(bins), ${step}
        ) AS place
      GROUP BY 1
      ORDER BY 1`,
      values,
    );
    const half = bins.reduce((sum, { calls }) => sum + Number(calls), 0) / 2;
    let seen = 0;
    for (const { bin, calls } of bins) {
      seen += Number(calls);
      if (seen >= half) return Math.round(binRatio ** bin);
    }
    return null;
  }
}

type Sums = Omit<UsageReport["totals"], "medianFirstTokenMs">;

/** Adds up the groups, which saves reading the table once more. */
function addUp(groups: readonly Sums[]): Sums {
  const sum = (read: (group: Sums) => number): number =>
    groups.reduce((total, group) => total + read(group), 0);
  const hasCost = groups.length === 0 || groups.some(({ cost }) => cost !== null);
  return {
    answers: sum(({ answers }) => answers),
    failed: sum(({ failed }) => failed),
    inputTokens: sum(({ inputTokens }) => inputTokens),
    cachedTokens: sum(({ cachedTokens }) => cachedTokens),
    outputTokens: sum(({ outputTokens }) => outputTokens),
    reasoningTokens: sum(({ reasoningTokens }) => reasoningTokens),
    characters: sum(({ characters }) => characters),
    // Whole milliseconds and millionths, because fractions don't add up exactly.
    audioSeconds: Math.round(sum(({ audioSeconds }) => audioSeconds * 1e3)) / 1e3,
    searches: sum(({ searches }) => searches),
    cost: hasCost ? Math.round(sum(({ cost }) => (cost ?? 0) * 1e6)) / 1e6 : null,
    unpriced: sum(({ unpriced }) => unpriced),
  };
}

const mapSums = (row: SumRow): Sums => ({
  answers: row.answers,
  failed: row.failed,
  inputTokens: row.input_tokens,
  cachedTokens: row.cached_tokens,
  outputTokens: row.output_tokens,
  reasoningTokens: row.reasoning_tokens,
  characters: row.characters,
  audioSeconds: row.audio_ms / 1e3,
  searches: row.searches,
  // Without any call, nothing was spent.
  cost: row.cost !== null ? row.cost / 1e6 : row.unpriced === 0 ? 0 : null,
  unpriced: row.unpriced,
});
