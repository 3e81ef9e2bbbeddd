import type { MigrationInterface, QueryRunner } from "typeorm";

/**
 * What was told beside an answer stays with its turn: that no agent could be called, that pictures
 * were not seen.
 */
export class KeepNotices1795385000000 implements MigrationInterface {
  name = "KeepNotices1795385000000";

  async up(runner: QueryRunner): Promise<void> {
    // A constant default: no row is rewritten.
    await runner.query(`ALTER TABLE turn ADD COLUMN notices text[] NOT NULL DEFAULT '{}'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("ALTER TABLE turn DROP COLUMN notices");
  }
}
