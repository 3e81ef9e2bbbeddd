import type { MigrationInterface, QueryRunner } from "typeorm";

/** Scopes, workspaces, expiry and rate limit of developer API keys; existing ones have none. */
export class LimitApiKeys1795610000000 implements MigrationInterface {
  readonly name = "LimitApiKeys1795610000000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE auth.api_key
      ADD COLUMN scopes text[] NOT NULL DEFAULT '{admin}'
        CHECK (scopes <@ '{read,chat,documents,admin}' AND cardinality(scopes) > 0),
      ADD COLUMN workspace_ids integer[],
      ADD COLUMN expires_at timestamptz(3),
      ADD COLUMN requests_per_minute integer CHECK (requests_per_minute > 0)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE auth.api_key
      DROP COLUMN scopes,
      DROP COLUMN workspace_ids,
      DROP COLUMN expires_at,
      DROP COLUMN requests_per_minute`);
  }
}
