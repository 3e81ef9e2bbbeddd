import { Reconciler, type OutboxMessage } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import { DataSource } from "typeorm";
import { queryRows } from "../database/query-rows.ts";

/** Width of the bins in which times to the first token are counted, as a ratio: 1 %. */
export const binRatio = 1.01;

/** What the daily sums are grouped by. */
export const dimensions = ["workspace_id", "user_id", "key_id", "provider", "model"] as const;

/** The summed columns, each with what a call `u` adds to it. */
export const summed = {
  answers: "(u.purpose = 'answer')::int",
  failed: "(u.state = 'failed')::int",
  input_tokens: "u.input_tokens",
  cached_tokens: "u.cached_tokens",
  output_tokens: "u.output_tokens",
  reasoning_tokens: "u.reasoning_tokens",
  characters: "u.characters",
  audio_ms: "u.audio_ms",
  searches: "u.searches",
  cost: "u.cost",
  unpriced: "(u.cost IS NULL)::int",
} as const;
export const summedNames = Object.keys(summed);

/** The bins of the times to the first token of calls `u`: a call has one or none. */
export const firstTokenBins = `CASE
  WHEN u.purpose = 'answer' AND u.first_token_ms IS NOT NULL
  THEN ARRAY[round(ln(greatest(u.first_token_ms, 1)) / ln(${binRatio}))::smallint]
  ELSE '{}'
END`;

/** Calls per transaction. */
const batch = 10_000;
const sums = Object.values(summed)
  .map((value) => `sum(${value})`)
  .join(", ");
const ofCall = dimensions.map((name) => `u.${name}`).join(", ");
/** `s` is the existing row. */
const addUp = summedNames
  .map((name) =>
    name === "cost"
      ? // Null until a price is known.
        "cost = coalesce(s.cost + excluded.cost, s.cost, excluded.cost)"
      : `${name} = s.${name} + excluded.${name}`,
  )
  .join(", ");

/**
 * Adds calls to the sums of their hour and day, every minute. A call is pending until the
 * transaction that adds it, so a lost process neither loses it nor counts it twice, and reports add
 * what is pending.
 */
@Injectable()
export class UsageSummer extends Reconciler {
  constructor(private readonly dataSource: DataSource) {
    super();
  }

  override async due(): Promise<OutboxMessage[]> {
    while ((await this.sumBatch()) === batch);
    return [];
  }

  /** Returns how many calls it added. Replicas take turns, because their sums would share rows. */
  private sumBatch(): Promise<number> {
    return this.dataSource.transaction(async (manager) => {
      const [lock] = await queryRows<{ taken: boolean }>(
        manager,
        "SELECT pg_try_advisory_xact_lock(hashtext('usage-sums')) AS taken",
        [],
      );
      if (!lock!.taken) return 0;
      const [added] = await queryRows<{ calls: number }>(
        manager,
        `WITH taken AS (
          DELETE FROM chat.usage_pending
          WHERE usage_id IN (SELECT usage_id FROM chat.usage_pending ORDER BY usage_id LIMIT ${batch})
          RETURNING usage_id
        ),
        calls AS MATERIALIZED (
          SELECT u.*, ${firstTokenBins} AS bins
          FROM taken
          JOIN chat.model_usage u ON u.id = taken.usage_id
        ),
        days AS (
          INSERT INTO chat.usage_day AS s (
            day, ${dimensions.join(", ")}, ${summedNames.join(", ")}, first_token_bins
          )
          SELECT (u.used_at AT TIME ZONE 'UTC')::date, ${ofCall}, ${sums},
            coalesce(array_agg(u.bins[1]) FILTER (WHERE u.bins[1] IS NOT NULL), '{}')
          FROM calls u
          GROUP BY 1, ${ofCall}
          ON CONFLICT (day, ${dimensions.join(", ")}) DO UPDATE
          SET ${addUp}, first_token_bins = s.first_token_bins || excluded.first_token_bins
        ),
        hours AS (
          INSERT INTO chat.usage_hour AS s (dimension, key, hour, ${summedNames.join(", ")})
          SELECT d.dimension, d.key, date_trunc('hour', u.used_at, 'UTC'), ${sums}
          FROM calls u
          CROSS JOIN LATERAL (VALUES
            ('all', ''),
            ('workspace', u.workspace_id::text),
            -- Calls with API keys are nobody's own.
            ('user', CASE WHEN u.key_id IS NULL THEN coalesce(u.user_id::text, '') END),
            ('provider', u.provider),
            ('model', u.model),
            ('key', u.key_id::text)
          ) AS d(dimension, key)
          WHERE d.key IS NOT NULL
          GROUP BY 1, 2, 3
          ON CONFLICT (dimension, key, hour) DO UPDATE SET ${addUp}
        )
        SELECT count(*)::int AS calls FROM taken`,
        [],
      );
      return added!.calls;
    });
  }
}
