import type { MigrationInterface, QueryRunner } from "typeorm";

const charge = (schema: string, counted: string): string => `CREATE OR REPLACE FUNCTION
  charge_budgets() RETURNS trigger
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
        CASE b.unit WHEN 'tokens' THEN u.input_tokens + u.output_tokens ELSE coalesce(u.cost, 0) END
      ) AS amount,
      count(*) AS calls
    FROM budget b
    JOIN added u
      ON budget_applies(b.subject, b.subject_id, u.workspace_id, u.user_id, u.key_id)
    WHERE ${counted}
    GROUP BY b.id
  ) charge
  WHERE budget.id = charge.id;
  RETURN NULL;
END $$`;

/**
 * Records what embedders use. It counts towards no budget: a budget can only stop questions, which
 * an import of documents would then use up.
 */
export class RecordEmbeddings1795470000000 implements MigrationInterface {
  readonly name = "RecordEmbeddings1795470000000";

  async up(runner: QueryRunner): Promise<void> {
    await this.allow(runner, "'answer', 'title', 'memory', 'embedding'");
    // Id of the event that reported it, so that an event sent twice counts once.
    await runner.query("ALTER TABLE model_usage ADD COLUMN event_id uuid");
    await runner.query(
      "CREATE UNIQUE INDEX model_usage_event ON model_usage (event_id) WHERE event_id IS NOT NULL",
    );
    await this.charge(runner, "u.purpose <> 'embedding'");
  }

  async down(runner: QueryRunner): Promise<void> {
    await this.charge(runner, "true");
    await runner.query("DROP INDEX model_usage_event");
    await runner.query("ALTER TABLE model_usage DROP COLUMN event_id");
    await runner.query("DELETE FROM model_usage WHERE purpose = 'embedding'");
    await this.allow(runner, "'answer', 'title', 'memory'");
  }

  private async allow(runner: QueryRunner, purposes: string): Promise<void> {
    await runner.query("ALTER TABLE model_usage DROP CONSTRAINT model_usage_purpose_check");
    await runner.query(
      `ALTER TABLE model_usage ADD CONSTRAINT model_usage_purpose_check CHECK (purpose IN (${purposes}))`,
    );
  }

  private async charge(runner: QueryRunner, counted: string): Promise<void> {
    const [{ schema }] = (await runner.query("SELECT current_schema() AS schema")) as [
      { schema: string },
    ];
    await runner.query(charge(schema, counted));
  }
}
