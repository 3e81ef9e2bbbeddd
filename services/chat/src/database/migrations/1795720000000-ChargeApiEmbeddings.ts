import type { MigrationInterface, QueryRunner } from "typeorm";

interface Charge {
  /** SQL condition of the use `u` that counts. */
  counted: string;
  /** Purposes that don't count as calls. */
  callless: string;
}
const before: Charge = {
  counted: "u.purpose NOT IN ('embedding', 'transcription')",
  callless: "'speech', 'dictation', 'transcription', 'reranking'",
};
/** Embeddings of documents have no key. Only questions make the average per call. */
const after: Charge = {
  counted: "u.purpose <> 'transcription' AND (u.purpose <> 'embedding' OR u.key_id IS NOT NULL)",
  callless: "'speech', 'dictation', 'transcription', 'reranking', 'embedding'",
};

/** Texts that API keys embed count towards budgets, and calls may hold tokens. */
export class ChargeApiEmbeddings1795720000000 implements MigrationInterface {
  readonly name = "ChargeApiEmbeddings1795720000000";

  async up(runner: QueryRunner): Promise<void> {
    await this.replaceCharge(runner, after);
    await runner.query("DROP FUNCTION admit_call");
    await this.createAdmission(runner, "tokens");
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("DROP FUNCTION admit_call");
    await this.createAdmission(runner, null);
    await this.replaceCharge(runner, before);
  }

  private async readSearchPath(runner: QueryRunner): Promise<string> {
    const [{ schema }] = (await runner.query("SELECT current_schema() AS schema")) as [
      { schema: string },
    ];
    return `SET search_path = "${schema}", pg_temp`;
  }

  private async replaceCharge(runner: QueryRunner, { counted, callless }: Charge): Promise<void> {
    await runner.query(`CREATE OR REPLACE FUNCTION charge_budgets() RETURNS trigger
      LANGUAGE plpgsql VOLATILE ${await this.readSearchPath(runner)} AS $$
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
          count(*) FILTER (WHERE u.purpose NOT IN (${callless})) AS calls
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

  /** `tokens`: the parameter with the tokens to hold, if there is one. */
  private async createAdmission(runner: QueryRunner, tokens: "tokens" | null): Promise<void> {
    const parameter = tokens === null ? "" : `${tokens} bigint, `;
    await runner.query(`CREATE FUNCTION admit_call(
        asked_call uuid, asked_workspace integer, asked_user integer, asked_key integer,
        ${parameter}micros bigint, is_free boolean
      ) RETURNS text LANGUAGE plpgsql VOLATILE ${await this.readSearchPath(runner)} AS $$
    DECLARE
      b record;
    BEGIN
      PERFORM lock_budgets();
      FOR b IN
        SELECT budget.id, budget.period, budget.stop_at,
          CASE budget.unit WHEN 'dollars' THEN micros ELSE ${tokens ?? "0"} END AS expected,
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
        IF b.expected > 0 THEN
          INSERT INTO budget_hold (generation_id, budget_id, amount)
          VALUES (asked_call, b.id, b.expected)
          ON CONFLICT DO NOTHING;
        END IF;
      END LOOP;
      RETURN NULL;
    END $$`);
  }
}
