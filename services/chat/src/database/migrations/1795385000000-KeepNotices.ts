import type { MigrationInterface, QueryRunner } from "typeorm";

/**
 * Keeps an answer's notices with its turn, e.g. that no agent could be called or that images were
 * not seen.
 */
export class KeepNotices1795385000000 implements MigrationInterface {
  name = "KeepNotices1795385000000";

  async up(runner: QueryRunner): Promise<void> {
    // A constant default doesn't rewrite existing rows.
    await runner.query(`ALTER TABLE turn ADD COLUMN notices text[] NOT NULL DEFAULT '{}'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("ALTER TABLE turn DROP COLUMN notices");
  }
}
