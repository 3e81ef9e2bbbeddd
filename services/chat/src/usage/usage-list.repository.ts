import type { UsageFilter, UsageRow } from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import { DataSource } from "typeorm";
import { queryRows } from "../database/query-rows.ts";
import { readLimits } from "./usage-filter.ts";

export interface UsagePosition {
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
      FROM model_usage u
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
