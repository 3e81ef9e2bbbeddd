import type { MigrationInterface, QueryRunner } from "typeorm";

/** Why answers were rated as bad. */
export class ExplainRatings1795432000000 implements MigrationInterface {
  readonly name = "ExplainRatings1795432000000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query("ALTER TABLE turn ADD COLUMN feedback_reason jsonb");
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("ALTER TABLE turn DROP COLUMN feedback_reason");
  }
}
