import type { MigrationInterface, QueryRunner } from "typeorm";

/** Prompts of threads, and how answers in them are written; null follows the workspace. */
export class AddThreadParameters1796001000000 implements MigrationInterface {
  readonly name = "AddThreadParameters1796001000000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query("ALTER TABLE thread ADD COLUMN answer_parameters jsonb");
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("ALTER TABLE thread DROP COLUMN answer_parameters");
  }
}
