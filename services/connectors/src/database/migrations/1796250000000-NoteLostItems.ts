import type { MigrationInterface, QueryRunner } from "typeorm";

/** Items whose documents were removed because they are gone, until nothing leads to them either. */
export class NoteLostItems1796250000000 implements MigrationInterface {
  readonly name = "NoteLostItems1796250000000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query("ALTER TABLE source_item ADD COLUMN is_lost boolean NOT NULL DEFAULT false");
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("ALTER TABLE source_item DROP COLUMN is_lost");
  }
}
