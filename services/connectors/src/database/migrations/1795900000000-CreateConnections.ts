import type { MigrationInterface, QueryRunner } from "typeorm";

/** Connections, the runs over them, and the items of their sources. */
export class CreateConnections1795900000000 implements MigrationInterface {
  readonly name = "CreateConnections1795900000000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE connection (
      id uuid PRIMARY KEY,
      connector text NOT NULL,
      workspace_id integer,
      owner_id integer,
      scope jsonb NOT NULL,
      name text NOT NULL,
      settings jsonb NOT NULL,
      sealed_credential text,
      embed boolean NOT NULL DEFAULT true,
      metadata jsonb NOT NULL DEFAULT '{}',
      is_once boolean NOT NULL DEFAULT false,
      is_changed boolean NOT NULL DEFAULT false,
      mark text,
      created_at timestamptz NOT NULL DEFAULT now(),
      updated_at timestamptz NOT NULL DEFAULT now())`);
    await runner.query(
      "CREATE INDEX connection_workspace ON connection (workspace_id, created_at)",
    );
    await runner.query(`CREATE TABLE connection_run (
      id uuid PRIMARY KEY,
      connection_id uuid NOT NULL REFERENCES connection (id) ON DELETE CASCADE,
      state text NOT NULL CHECK (
        state IN ('queued', 'running', 'paused', 'cancelled', 'finished', 'failed')
      ),
      is_retry boolean NOT NULL DEFAULT false,
      is_listed boolean NOT NULL DEFAULT false,
      is_cut boolean NOT NULL DEFAULT false,
      cursor text,
      since text,
      mark text,
      found integer NOT NULL DEFAULT 0,
      fetched integer NOT NULL DEFAULT 0,
      unchanged integer NOT NULL DEFAULT 0,
      skipped integer NOT NULL DEFAULT 0,
      failed integer NOT NULL DEFAULT 0,
      bytes bigint NOT NULL DEFAULT 0,
      fault jsonb,
      started_by integer,
      turn integer NOT NULL DEFAULT 1,
      lost_turns integer NOT NULL DEFAULT 0,
      waits integer NOT NULL DEFAULT 0,
      waits_until timestamptz,
      created_at timestamptz NOT NULL DEFAULT now(),
      started_at timestamptz,
      ended_at timestamptz,
      CHECK ((ended_at IS NULL) = (state IN ('queued', 'running', 'paused'))))`);
    await runner.query(
      "CREATE UNIQUE INDEX connection_run_open ON connection_run (connection_id) WHERE ended_at IS NULL",
    );
    await runner.query(
      "CREATE INDEX connection_run_latest ON connection_run (connection_id, created_at)",
    );
    await runner.query(`CREATE TABLE source_item (
      connection_id uuid NOT NULL REFERENCES connection (id) ON DELETE CASCADE,
      key text NOT NULL,
      ordinal bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
      run_id uuid NOT NULL,
      item jsonb NOT NULL,
      title text NOT NULL,
      address text NOT NULL,
      listed_version text,
      version text,
      state text NOT NULL CHECK (
        state IN ('pending', 'fetched', 'unchanged', 'skipped', 'failed', 'gone')
      ),
      fault jsonb,
      document_id uuid,
      sha256 text,
      fingerprint text,
      access jsonb,
      bytes bigint,
      attempts integer NOT NULL DEFAULT 0,
      due_at timestamptz NOT NULL DEFAULT now(),
      updated_at timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (connection_id, key))`);
    await runner.query("CREATE UNIQUE INDEX source_item_ordinal ON source_item (ordinal)");
    await runner.query(
      "CREATE INDEX source_item_pending ON source_item (run_id, ordinal) WHERE state = 'pending'",
    );
    await runner.query(
      "CREATE UNIQUE INDEX source_item_fingerprint ON source_item (connection_id, fingerprint)",
    );
    // Outlives its connection, until ingest has deleted the document.
    await runner.query(`CREATE TABLE stale_document (
      document_id uuid PRIMARY KEY,
      connection_id uuid NOT NULL)`);
    await runner.query("CREATE INDEX stale_document_connection ON stale_document (connection_id)");
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("DROP TABLE stale_document, source_item, connection_run, connection");
  }
}
