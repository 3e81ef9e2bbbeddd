import type { MigrationInterface, QueryRunner } from "typeorm";

/** How many documents a run has removed, because its source no longer has them. */
export class CountRemoved1796230000000 implements MigrationInterface {
  readonly name = "CountRemoved1796230000000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query("ALTER TABLE connection_run ADD COLUMN removed integer NOT NULL DEFAULT 0");
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("ALTER TABLE connection_run DROP COLUMN removed");
  }
}
