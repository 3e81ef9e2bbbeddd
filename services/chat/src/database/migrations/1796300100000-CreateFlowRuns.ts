import type { MigrationInterface, QueryRunner } from "typeorm";

/**
 * Runs of flows, what each block did, and what can start flows without a person. Texts that others
 * wrote are `json` or encoded as JSON, which can hold a NUL.
 */
export class CreateFlowRuns1796300100000 implements MigrationInterface {
  readonly name = "CreateFlowRuns1796300100000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE flow_run (
      id uuid PRIMARY KEY,
      flow_id uuid NOT NULL REFERENCES flow (id) ON DELETE CASCADE,
      name text NOT NULL,
      version integer NOT NULL,
      steps json NOT NULL,
      reached json NOT NULL,
      inputs json NOT NULL,
      payload json,
      trigger text NOT NULL,
      user_id integer,
      workspace_id integer,
      approvals json,
      state text NOT NULL DEFAULT 'queued',
      turn integer NOT NULL DEFAULT 1,
      lost integer NOT NULL DEFAULT 0,
      lease uuid,
      lease_until timestamptz,
      due_at timestamptz NOT NULL DEFAULT now(),
      question json,
      answers json NOT NULL DEFAULT '[]',
      output text,
      fault json,
      created_at timestamptz(3) NOT NULL DEFAULT now(),
      started_at timestamptz,
      ended_at timestamptz)`);
    await runner.query("CREATE INDEX flow_run_created_idx ON flow_run (created_at DESC, id DESC)");
    await runner.query("CREATE INDEX flow_run_user_idx ON flow_run (user_id, created_at DESC)");
    await runner.query("CREATE INDEX flow_run_flow_idx ON flow_run (flow_id, created_at DESC)");
    await runner.query("CREATE INDEX flow_run_workspace_idx ON flow_run (workspace_id)");
    await runner.query(
      "CREATE INDEX flow_run_open_idx ON flow_run (user_id) WHERE ended_at IS NULL",
    );
    await runner.query("CREATE SEQUENCE flow_run_revision");
    await runner.query(`CREATE TABLE flow_run_block (
      run_id uuid NOT NULL REFERENCES flow_run (id) ON DELETE CASCADE,
      path text NOT NULL,
      block_id text,
      type text NOT NULL,
      title text,
      state text NOT NULL,
      sent boolean NOT NULL DEFAULT false,
      milliseconds integer,
      shown text NOT NULL DEFAULT '',
      value text,
      fault json,
      position bigint NOT NULL DEFAULT nextval('chat.flow_run_revision'),
      revision bigint NOT NULL DEFAULT nextval('chat.flow_run_revision'),
      PRIMARY KEY (run_id, path))`);
    await runner.query(`CREATE TABLE flow_trigger (
      id uuid PRIMARY KEY,
      flow_id uuid NOT NULL REFERENCES flow (id) ON DELETE CASCADE,
      kind text NOT NULL,
      user_id integer,
      workspace_id integer,
      approvals json NOT NULL,
      sealed_secret text,
      created_at timestamptz NOT NULL DEFAULT now(),
      UNIQUE (flow_id, kind))`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("DROP TABLE flow_trigger");
    await runner.query("DROP TABLE flow_run_block");
    await runner.query("DROP SEQUENCE flow_run_revision");
    await runner.query("DROP TABLE flow_run");
  }
}
