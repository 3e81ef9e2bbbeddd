import type { MigrationInterface, QueryRunner } from "typeorm";

/** Read-only links to threads. */
export class CreateShares1795430000000 implements MigrationInterface {
  readonly name = "CreateShares1795430000000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE share (
      id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      thread_id integer NOT NULL REFERENCES thread (id) ON DELETE CASCADE,
      workspace_id integer NOT NULL,
      user_id integer,
      token_hash text NOT NULL UNIQUE,
      audience text NOT NULL CHECK (audience IN ('team', 'anyone')),
      turn_ids integer[] NOT NULL,
      expires_at timestamptz,
      created_at timestamptz NOT NULL DEFAULT now(),
      shared_at timestamptz NOT NULL DEFAULT now())`);
    // One link per thread and owner: several people may ask in a thread without an owner.
    await runner.query(
      "CREATE UNIQUE INDEX share_thread ON share (thread_id, (coalesce(user_id, 0)))",
    );
    await runner.query("CREATE INDEX share_owner ON share ((coalesce(user_id, 0)))");
    await runner.query("CREATE INDEX share_workspace ON share (workspace_id)");
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("DROP TABLE share");
  }
}
