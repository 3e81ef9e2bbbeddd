import type { MigrationInterface, QueryRunner } from "typeorm";

/**
 * Secrets that flows and plugins refer to by name. `owner_id` is the flow's or the plugin's; empty
 * for the instance's own. `hosts` are those that the value may be sent to.
 */
export class CreateCredentials1796300200000 implements MigrationInterface {
  readonly name = "CreateCredentials1796300200000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE credential (
      id uuid PRIMARY KEY,
      name text NOT NULL,
      owner_kind text NOT NULL CHECK (owner_kind IN ('instance', 'flow', 'plugin')),
      owner_id text NOT NULL,
      hosts text[] NOT NULL,
      sealed_value text NOT NULL,
      updated_by integer,
      updated_at timestamptz NOT NULL DEFAULT now(),
      last_used_at timestamptz,
      CHECK ((owner_kind = 'instance') = (owner_id = '')))`);
    await runner.query(
      "CREATE UNIQUE INDEX credential_name ON credential (owner_kind, owner_id, name)",
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("DROP TABLE credential");
  }
}
