import type { UsageFilter, UsageRow } from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import { DataSource } from "typeorm";
import { queryRows } from "../database/query-rows.ts";

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

interface UsagePosition {
  usedAt: string;
  id: string;
}

/** A reply is limited to 1 MB. */
const pageSize = 1_500;

/** Single calls, for the export. */
@Injectable()
export class UsageListRepository {
  constructor(private readonly dataSource: DataSource) {}

  async list(
    filter: UsageFilter,
    after: UsagePosition | null,
  ): Promise<{ rows: UsageRow[]; next: UsagePosition | null }> {
    const values: unknown[] = [filter.from, filter.to, filter.timeZone];
    const limits = readLimits("everyone", filter).toSql("u", values);
    const position =
      after === null
        ? ""
        : `AND (u.used_at, u.id) > ($${values.push(after.usedAt)}::timestamptz, $${values.push(after.id)}::bigint)`;
    const rows = await queryRows<
      Omit<UsageRow, "usedAt" | "cost" | "audioSeconds"> & {
        id: string;
        position: string;
        micros: string | null;
        audioMs: string;
      }
    >(
      this.dataSource,
      `SELECT id, used_at::text AS position, purpose, state, workspace_id AS "workspaceId",
        user_id AS "userId", key_id AS "keyId", provider, model, input_tokens AS "inputTokens",
        cached_tokens AS "cachedTokens", output_tokens AS "outputTokens",
        reasoning_tokens AS "reasoningTokens", characters, audio_ms AS "audioMs", searches,
        is_estimated AS "isEstimated", first_token_ms AS "firstTokenMs",
        duration_ms AS "durationMs", cost AS micros
      FROM chat.model_usage u
      WHERE u.used_at >= $1::date::timestamp AT TIME ZONE $3
        AND u.used_at < ($2::date + 1)::timestamp AT TIME ZONE $3
        AND ${limits} ${position}
      ORDER BY used_at, id
      LIMIT ${pageSize}`,
      values,
    );
    const last = rows.at(-1);
    return {
      rows: rows.map(({ id: _id, position: at, micros, audioMs, ...row }) => ({
        ...row,
        usedAt: new Date(at).toISOString(),
        audioSeconds: Number(audioMs) / 1000,
        cost: micros === null ? null : Number(micros) / 1e6,
      })),
      next:
        last === undefined || rows.length < pageSize
          ? null
          : { usedAt: last.position, id: last.id },
    };
  }
}
