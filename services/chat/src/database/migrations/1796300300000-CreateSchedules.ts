import type { MigrationInterface, QueryRunner } from "typeorm";

/**
 * Scheduled work and its runs. A run that asks a question has the ID of its generation, whose end
 * queues what is left to do for the run.
 */
export class CreateSchedules1796300300000 implements MigrationInterface {
  readonly name = "CreateSchedules1796300300000";

  async up(runner: QueryRunner): Promise<void> {
    const [{ schema }] = (await runner.query("SELECT current_schema() AS schema")) as [
      { schema: string },
    ];
    await runner.query(`CREATE TABLE schedule (
      id uuid PRIMARY KEY,
      workspace_id integer NOT NULL,
      user_id integer,
      name text NOT NULL,
      work jsonb NOT NULL,
      timing jsonb NOT NULL,
      missed text NOT NULL CHECK (missed IN ('once', 'skip')),
      thread text NOT NULL CHECK (thread IN ('new', 'same', 'none')),
      only_when_changed boolean NOT NULL,
      sealed_webhook text,
      sealed_secret text,
      approvals jsonb NOT NULL,
      by_agent boolean NOT NULL,
      active boolean NOT NULL,
      paused_reason jsonb,
      next_at timestamptz,
      failures integer NOT NULL DEFAULT 0,
      thread_id integer,
      delivered_hash text,
      created_at timestamptz NOT NULL DEFAULT now(),
      updated_at timestamptz NOT NULL DEFAULT now())`);
    await runner.query("CREATE INDEX schedule_due_idx ON schedule (next_at) WHERE active");
    await runner.query("CREATE INDEX schedule_user_idx ON schedule (user_id)");
    await runner.query("CREATE INDEX schedule_workspace_idx ON schedule (workspace_id)");
    await runner.query(`CREATE TABLE schedule_run (
      id uuid PRIMARY KEY,
      schedule_id uuid NOT NULL REFERENCES schedule (id) ON DELETE CASCADE,
      due_at timestamptz NOT NULL,
      reason text NOT NULL CHECK (reason IN ('due', 'late', 'manual')),
      state text NOT NULL CHECK (
        state IN ('due', 'running', 'done', 'unchanged', 'failed', 'cancelled', 'skipped')
      ),
      missed_times jsonb NOT NULL DEFAULT '[]',
      missed_count integer NOT NULL DEFAULT 0,
      created_at timestamptz NOT NULL DEFAULT now(),
      started_at timestamptz,
      ended_at timestamptz,
      thread_id integer,
      generation_id uuid,
      flow_run_id uuid,
      fault jsonb,
      denied jsonb NOT NULL DEFAULT '[]',
      result text,
      result_hash text,
      webhook_state text CHECK (webhook_state IN ('pending', 'delivered', 'failed')),
      webhook_status integer,
      webhook_attempts integer NOT NULL DEFAULT 0,
      webhook_fault jsonb,
      UNIQUE (schedule_id, due_at))`);
    // At most one run of a schedule at a time, whatever starts it.
    await runner.query(`CREATE UNIQUE INDEX schedule_run_open_idx ON schedule_run (schedule_id)
      WHERE state IN ('due', 'running')`);
    await runner.query("ALTER TABLE turn ADD COLUMN schedule_id uuid");
    await runner.query(`CREATE FUNCTION end_schedule_run() RETURNS trigger LANGUAGE plpgsql
      SET search_path = "${schema}", pg_temp AS $$
    BEGIN
      INSERT INTO outbox (kind, name, row_id, version, payload)
      SELECT 'job', 'chat.schedule.end-run', run.id, 1,
        jsonb_build_object('runId', run.id, 'owner', coalesce(NEW.user_id::text, ''))
      FROM schedule_run run
      WHERE run.id = NEW.id AND run.state = 'running';
      IF FOUND THEN
        PERFORM pg_notify('carrel_outbox_${schema}', '');
      END IF;
      RETURN NULL;
    END $$`);
    await runner.query(`CREATE TRIGGER end_schedule_run
      AFTER UPDATE OF state ON generation
      FOR EACH ROW
      WHEN (
        NEW.state IN ('done', 'failed', 'cancelled') AND OLD.state IN ('queued', 'running')
      )
      EXECUTE FUNCTION end_schedule_run()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("DROP TRIGGER end_schedule_run ON generation");
    await runner.query("DROP FUNCTION end_schedule_run()");
    await runner.query("ALTER TABLE turn DROP COLUMN schedule_id");
    await runner.query("DROP TABLE schedule_run");
    await runner.query("DROP TABLE schedule");
  }
}
