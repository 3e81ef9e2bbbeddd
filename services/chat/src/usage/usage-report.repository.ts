import { Injectable } from "@nestjs/common";
import {
  maxUsageGroups,
  type UsageFilter,
  type UsageGrouping,
  type UsageReport,
  type UsageRow,
} from "@carrel/contracts";
import { DataSource } from "typeorm";
import { queryRows } from "../database/query-rows.ts";

/** Whose use is read: one person's own, or everyone's. */
export type UsageOwner = { userId: number | null } | "everyone";
export interface UsagePosition {
  usedAt: string;
  id: string;
}

/** Numbers arrive as text where they may exceed 32 bits. */
interface SumRow {
  key: string | null;
  answers: string;
  failed: string;
  input_tokens: string;
  cached_tokens: string;
  output_tokens: string;
  reasoning_tokens: string;
  cost: string | null;
  unpriced: string;
}

/** A reply is limited to 1 MB. */
const pageSize = 1_500;
/** Width of the median's bins as a ratio: 1 %. */
const binRatio = 1.01;

const keys: Record<UsageGrouping, string> = {
  day: "(used_at AT TIME ZONE $3)::date::text",
  workspace: "workspace_id::text",
  user: "user_id::text",
  provider: "provider",
  model: "model",
  key: "key_id::text",
};
const sums = `count(*) FILTER (WHERE purpose = 'answer') AS answers,
  count(*) FILTER (WHERE state = 'failed') AS failed,
  coalesce(sum(input_tokens), 0) AS input_tokens,
  coalesce(sum(cached_tokens), 0) AS cached_tokens,
  coalesce(sum(output_tokens), 0) AS output_tokens,
  coalesce(sum(reasoning_tokens), 0) AS reasoning_tokens,
  sum(cost) AS cost,
  count(*) FILTER (WHERE cost IS NULL) AS unpriced`;

@Injectable()
export class UsageReportRepository {
  constructor(private readonly dataSource: DataSource) {}

  async report(
    owner: UsageOwner,
    filter: UsageFilter,
    groupBy: UsageGrouping,
  ): Promise<UsageReport> {
    const { where, values } = conditions(owner, filter);
    const order =
      groupBy === "day"
        ? "ORDER BY key"
        : "ORDER BY sum(cost) DESC NULLS LAST, sum(input_tokens + output_tokens) DESC, key";
    const [rows, medianFirstTokenMs] = await Promise.all([
      queryRows<SumRow>(
        this.dataSource,
        `SELECT ${keys[groupBy]} AS key, ${sums} FROM model_usage WHERE ${where} GROUP BY 1 ${order}`,
        values,
      ),
      this.findMedian(where, values),
    ]);
    const all = rows.map((row) => ({ ...mapSums(row), key: row.key, name: null }));
    const groups = groupBy === "day" ? all : all.slice(0, maxUsageGroups);
    return {
      totals: { ...addUp(all), medianFirstTokenMs },
      groups,
    };
  }

  /** Counted in bins, because sorting a million rows would take longer than everything else. */
  private async findMedian(where: string, values: unknown[]): Promise<number | null> {
    const bins = await queryRows<{ bin: number; calls: string }>(
      this.dataSource,
      `SELECT round(ln(greatest(first_token_ms, 1)) / ln(${binRatio}))::int AS bin,
        count(*) AS calls
      FROM model_usage
      WHERE ${where} AND first_token_ms IS NOT NULL AND purpose = 'answer'
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

  async list(
    filter: UsageFilter,
    after: UsagePosition | null,
  ): Promise<{ rows: UsageRow[]; next: UsagePosition | null }> {
    const { where, values } = conditions("everyone", filter);
    const position =
      after === null
        ? ""
        : `AND (used_at, id) > ($${values.length + 1}::timestamptz, $${values.length + 2}::bigint)`;
    const rows = await queryRows<
      UsageRow & { id: string; position: string; micros: string | null }
    >(
      this.dataSource,
      `SELECT id, used_at::text AS position, purpose, state, workspace_id AS "workspaceId",
        user_id AS "userId", key_id AS "keyId", provider, model, input_tokens AS "inputTokens",
        cached_tokens AS "cachedTokens", output_tokens AS "outputTokens",
        reasoning_tokens AS "reasoningTokens", is_estimated AS "isEstimated",
        first_token_ms AS "firstTokenMs", duration_ms AS "durationMs", cost AS micros
      FROM model_usage
      WHERE ${where} ${position}
      ORDER BY used_at, id
      LIMIT ${pageSize}`,
      after === null ? values : [...values, after.usedAt, after.id],
    );
    const last = rows.at(-1);
    return {
      rows: rows.map(({ id: _id, position: at, micros, ...row }) => ({
        ...row,
        usedAt: new Date(at).toISOString(),
        cost: toDollars(micros),
      })),
      next:
        last === undefined || rows.length < pageSize
          ? null
          : { usedAt: last.position, id: last.id },
    };
  }
}

/** `$1` to `$3` are the first and the last day and their time zone. */
function conditions(owner: UsageOwner, filter: UsageFilter): { where: string; values: unknown[] } {
  const values: unknown[] = [filter.from, filter.to, filter.timeZone];
  const where = [
    "used_at >= $1::date::timestamp AT TIME ZONE $3",
    "used_at < ($2::date + 1)::timestamp AT TIME ZONE $3",
  ];
  const add = (column: string, value: unknown): void => {
    if (value === undefined) return;
    values.push(value);
    where.push(`${column} = $${values.length}`);
  };
  add("workspace_id", filter.workspaceId);
  add("user_id", filter.userId);
  add("provider", filter.provider);
  add("model", filter.model);
  add("key_id", filter.keyId);
  if (owner !== "everyone") {
    values.push(owner.userId);
    where.push(`user_id IS NOT DISTINCT FROM $${values.length}::int AND key_id IS NULL`);
  }
  return { where: where.join(" AND "), values };
}

const toDollars = (micros: string | null): number | null =>
  micros === null ? null : Number(micros) / 1e6;

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
    // Whole millionths, because fractions of a dollar don't add up exactly.
    cost: hasCost ? Math.round(sum(({ cost }) => (cost ?? 0) * 1e6)) / 1e6 : null,
    unpriced: sum(({ unpriced }) => unpriced),
  };
}

const mapSums = (row: SumRow): Sums => ({
  answers: Number(row.answers),
  failed: Number(row.failed),
  inputTokens: Number(row.input_tokens),
  cachedTokens: Number(row.cached_tokens),
  outputTokens: Number(row.output_tokens),
  reasoningTokens: Number(row.reasoning_tokens),
  // Without any call, nothing was spent.
  cost: row.cost === null && Number(row.unpriced) === 0 ? 0 : toDollars(row.cost),
  unpriced: Number(row.unpriced),
});
