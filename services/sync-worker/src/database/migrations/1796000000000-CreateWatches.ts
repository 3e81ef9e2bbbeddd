import type { MigrationInterface, QueryRunner } from "typeorm";

/** What is kept in sync with its source, how its syncs went, and the webhooks that ask for one. */
export class CreateWatches1796000000000 implements MigrationInterface {
  readonly name = "CreateWatches1796000000000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE watch (
      id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      document_id uuid UNIQUE,
      connection_id uuid UNIQUE,
      workspace_id integer,
      chunk_source text NOT NULL DEFAULT '',
      title text NOT NULL,
      connector text NOT NULL,
      host text NOT NULL,
      user_id integer,
      interval_seconds double precision,
      when_gone text NOT NULL CHECK (when_gone IN ('remove', 'keep')),
      state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'syncing', 'stopped')),
      next_sync_at timestamptz NOT NULL,
      requested_at timestamptz,
      lease_until timestamptz,
      run_id bigint,
      source_run_id uuid,
      last_synced_at timestamptz,
      last_changed_at timestamptz,
      last_status text CHECK (last_status IN ('success', 'failed', 'exited')),
      fault jsonb,
      failures integer NOT NULL DEFAULT 0,
      is_missing boolean NOT NULL DEFAULT false,
      sealed_hook_secret text,
      created_at timestamptz NOT NULL DEFAULT now(),
      CHECK ((document_id IS NULL) <> (connection_id IS NULL)),
      CHECK ((connection_id IS NULL) = (workspace_id IS NULL)))`);
    await runner.query("CREATE INDEX watch_due ON watch (next_sync_at) WHERE state <> 'stopped'");
    await runner.query("CREATE INDEX watch_syncing ON watch (host) WHERE state = 'syncing'");
    await runner.query("CREATE INDEX watch_workspace ON watch (workspace_id)");
    await runner.query(`CREATE TABLE sync_run (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      watch_id integer NOT NULL REFERENCES watch (id) ON DELETE CASCADE,
      status text NOT NULL DEFAULT 'unknown' CHECK (
        status IN ('success', 'failed', 'exited', 'unknown')
      ),
      change text CHECK (change IN ('unchanged', 'changed', 'removed')),
      fault jsonb,
      started_at timestamptz NOT NULL DEFAULT now(),
      ended_at timestamptz)`);
    await runner.query("CREATE INDEX sync_run_watch ON sync_run (watch_id, id)");
    await runner.query(`CREATE TABLE hook_delivery (
      watch_id integer NOT NULL REFERENCES watch (id) ON DELETE CASCADE,
      key text NOT NULL,
      received_at timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (watch_id, key))`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("DROP TABLE hook_delivery, sync_run, watch");
  }
}
