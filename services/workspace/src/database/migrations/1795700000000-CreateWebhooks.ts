import type { MigrationInterface, QueryRunner } from "typeorm";

/** Webhooks, and every delivery of the last 30 days (docs/decisions/webhooks.md). */
export class CreateWebhooks1795700000000 implements MigrationInterface {
  name = "CreateWebhooks1795700000000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE workspace.webhook (
      id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      sealed_url text NOT NULL,
      description text NOT NULL,
      events text[] NOT NULL,
      workspace_ids integer[],
      enabled boolean NOT NULL,
      sealed_secret text NOT NULL,
      created_at timestamptz(3) NOT NULL DEFAULT now(),
      updated_at timestamptz(3) NOT NULL DEFAULT now())`);
    await runner.query("CREATE SEQUENCE workspace.webhook_version");
    await runner.query(`CREATE TABLE workspace.webhook_delivery (
      id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
      webhook_id integer NOT NULL REFERENCES workspace.webhook (id) ON DELETE CASCADE,
      event_id uuid NOT NULL,
      event text NOT NULL,
      payload text NOT NULL,
      state text NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'delivered', 'failed')),
      version integer NOT NULL DEFAULT 1,
      attempts integer NOT NULL DEFAULT 0,
      total_attempts integer NOT NULL DEFAULT 0,
      status integer,
      fault jsonb,
      reply text NOT NULL DEFAULT '',
      milliseconds integer,
      created_at timestamptz(3) NOT NULL DEFAULT now(),
      next_attempt_at timestamptz(3) DEFAULT now(),
      finished_at timestamptz(3),
      UNIQUE (webhook_id, event_id))`);
    await runner.query(
      `CREATE INDEX webhook_delivery_newest ON workspace.webhook_delivery (webhook_id, created_at DESC, id DESC)`,
    );
    await runner.query(
      `CREATE INDEX webhook_delivery_due ON workspace.webhook_delivery (next_attempt_at) WHERE state = 'pending'`,
    );
    await runner.query(
      `CREATE INDEX webhook_delivery_age ON workspace.webhook_delivery (created_at)`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("DROP TABLE workspace.webhook_delivery");
    await runner.query("DROP SEQUENCE workspace.webhook_version");
    await runner.query("DROP TABLE workspace.webhook");
  }
}
