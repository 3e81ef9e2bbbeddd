import type { MigrationInterface, QueryRunner } from "typeorm";

const purposes = "'answer', 'title', 'memory', 'embedding'";
const mediaPurposes = "'speech', 'dictation', 'transcription', 'reranking'";

/**
 * Replaces the trigger's function that charges budgets with what is recorded.
 *
 * @param counted SQL condition of the use `u` that counts; `calls`: how many calls it is
 */
async function replaceCharge(
  runner: QueryRunner,
  { counted, calls }: { counted: string; calls: string },
): Promise<void> {
  const [{ schema }] = (await runner.query("SELECT current_schema() AS schema")) as [
    { schema: string },
  ];
  await runner.query(`CREATE OR REPLACE FUNCTION charge_budgets() RETURNS trigger
    LANGUAGE plpgsql VOLATILE SET search_path = "${schema}", pg_temp AS $$
  BEGIN
    IF NOT EXISTS (SELECT 1 FROM budget) THEN RETURN NULL; END IF;
    PERFORM lock_budgets();
    UPDATE budget
    SET used = charge.amount + CASE WHEN is_current THEN used ELSE 0 END,
      calls = charge.calls + CASE WHEN is_current THEN budget.calls ELSE 0 END,
      announced = CASE WHEN is_current THEN announced END,
      period_start = budget_period_start(period)
    FROM (
      SELECT b.id, b.period_start = budget_period_start(b.period) AS is_current,
        sum(
          CASE b.unit WHEN 'tokens' THEN u.input_tokens + u.output_tokens
            ELSE coalesce(u.cost, 0) END
        ) AS amount,
        ${calls} AS calls
      FROM budget b
      JOIN added u
        ON budget_applies(b.subject, b.subject_id, u.workspace_id, u.user_id, u.key_id)
      WHERE ${counted}
      GROUP BY b.id
    ) charge
    WHERE budget.id = charge.id;
    RETURN NULL;
  END $$`);
}

/** Records speech, dictation, transcription and reranking, in their units. */
export class RecordMediaUse1795710000000 implements MigrationInterface {
  readonly name = "RecordMediaUse1795710000000";

  async up(runner: QueryRunner): Promise<void> {
    await this.allow(runner, `${purposes}, ${mediaPurposes}`);
    // Dictation belongs to no workspace, nor do texts embedded through the API. Prices are dollars per million characters and per minute.
    await runner.query(`ALTER TABLE model_usage
      ALTER COLUMN workspace_id DROP NOT NULL,
      ADD COLUMN characters integer NOT NULL DEFAULT 0,
      ADD COLUMN audio_ms bigint NOT NULL DEFAULT 0,
      ADD COLUMN searches integer NOT NULL DEFAULT 0,
      ADD COLUMN character_price double precision,
      ADD COLUMN minute_price double precision`);
    // Transcription is part of an import, like embedding. Only questions make the average per call.
    await replaceCharge(runner, {
      counted: "u.purpose NOT IN ('embedding', 'transcription')",
      calls: `count(*) FILTER (WHERE u.purpose NOT IN (${mediaPurposes}))`,
    });
    await this.createAdmission(runner);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("DROP FUNCTION admit_call");
    await replaceCharge(runner, { counted: "u.purpose <> 'embedding'", calls: "count(*)" });
    await runner.query(
      `DELETE FROM model_usage WHERE purpose IN (${mediaPurposes}) OR workspace_id IS NULL`,
    );
    await runner.query(`ALTER TABLE model_usage
      DROP COLUMN characters, DROP COLUMN audio_ms, DROP COLUMN searches,
      DROP COLUMN character_price, DROP COLUMN minute_price,
      ALTER COLUMN workspace_id SET NOT NULL`);
    await this.allow(runner, purposes);
  }

  private async allow(runner: QueryRunner, allowed: string): Promise<void> {
    await runner.query("ALTER TABLE model_usage DROP CONSTRAINT model_usage_purpose_check");
    await runner.query(
      `ALTER TABLE model_usage ADD CONSTRAINT model_usage_purpose_check CHECK (purpose IN (${allowed}))`,
    );
  }

  /**
   * Like `admit_question`, for a call without tokens: it only holds its own cost, until the hold is
   * deleted or expires.
   */
  private async createAdmission(runner: QueryRunner): Promise<void> {
    const [{ schema }] = (await runner.query("SELECT current_schema() AS schema")) as [
      { schema: string },
    ];
    await runner.query(`CREATE FUNCTION admit_call(
        asked_call uuid, asked_workspace integer, asked_user integer, asked_key integer,
        micros bigint, is_free boolean
      ) RETURNS text LANGUAGE plpgsql VOLATILE SET search_path = "${schema}", pg_temp AS $$
    DECLARE
      b record;
    BEGIN
      PERFORM lock_budgets();
      FOR b IN
        SELECT budget.id, budget.period, budget.unit, budget.stop_at,
          CASE WHEN budget.period_start = budget_period_start(budget.period)
            THEN budget.used ELSE 0 END AS used,
          (
            SELECT coalesce(sum(h.amount), 0)
            FROM budget_hold h
            LEFT JOIN generation g ON g.id = h.generation_id
            WHERE h.budget_id = budget.id
              AND CASE WHEN g.id IS NULL THEN h.held_at > now() - interval '1 minute'
                ELSE g.state IN ('queued', 'running') END
          ) AS held
        FROM budget
        WHERE budget.stop_at IS NOT NULL
          AND NOT (budget.unit = 'dollars' AND is_free)
          AND budget_applies(
            budget.subject, budget.subject_id, asked_workspace, asked_user, asked_key
          )
      LOOP
        IF b.used + b.held >= b.stop_at THEN
          DELETE FROM budget_hold WHERE generation_id = asked_call;
          RETURN b.period;
        END IF;
        IF b.unit = 'dollars' AND micros > 0 THEN
          INSERT INTO budget_hold (generation_id, budget_id, amount)
          VALUES (asked_call, b.id, micros);
        END IF;
      END LOOP;
      RETURN NULL;
    END $$`);
  }
}
