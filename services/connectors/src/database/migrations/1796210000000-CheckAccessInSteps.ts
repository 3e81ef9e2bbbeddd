import type { MigrationInterface, QueryRunner } from "typeorm";

/**
 * A check of who may see a connection's items goes on where the one before was interrupted, the
 * source is asked less often than people are matched, and refusals count from the first one.
 */
export class CheckAccessInSteps1796210000000 implements MigrationInterface {
  readonly name = "CheckAccessInSteps1796210000000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE connection
      ADD COLUMN access_cursor text,
      ADD COLUMN access_ask_at timestamptz,
      ADD COLUMN access_refused_since timestamptz`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE connection
      DROP COLUMN access_cursor, DROP COLUMN access_ask_at, DROP COLUMN access_refused_since`);
  }
}
