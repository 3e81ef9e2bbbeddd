import type { MigrationInterface, QueryRunner } from "typeorm";

/**
 * Whether a connection's documents are only for people who may see them at the source, when that is
 * checked next, and which audience ingest was last told for an item.
 */
export class MirrorPermissions1796020000000 implements MigrationInterface {
  readonly name = "MirrorPermissions1796020000000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE connection
      ADD COLUMN mirror_permissions boolean NOT NULL DEFAULT false,
      ADD COLUMN match_accounts boolean NOT NULL DEFAULT false,
      ADD COLUMN access_due_at timestamptz,
      ADD COLUMN access_version integer NOT NULL DEFAULT 1,
      ADD COLUMN access_failures integer NOT NULL DEFAULT 0,
      ADD COLUMN access_checked_at timestamptz,
      ADD COLUMN access_fault jsonb`);
    await runner.query(`CREATE INDEX connection_access_due ON connection (access_due_at)
      WHERE access_due_at IS NOT NULL`);
    await runner.query("ALTER TABLE source_item ADD COLUMN audience text");
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("ALTER TABLE source_item DROP COLUMN audience");
    await runner.query(`ALTER TABLE connection DROP COLUMN mirror_permissions,
      DROP COLUMN match_accounts, DROP COLUMN access_due_at, DROP COLUMN access_version,
      DROP COLUMN access_failures, DROP COLUMN access_checked_at, DROP COLUMN access_fault`);
  }
}
