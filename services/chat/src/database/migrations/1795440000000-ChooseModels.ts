import type { MigrationInterface, QueryRunner } from "typeorm";

/** Models that owners chose for their threads. */
export class ChooseModels1795440000000 implements MigrationInterface {
  readonly name = "ChooseModels1795440000000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      "ALTER TABLE thread ADD COLUMN chat_provider text, ADD COLUMN chat_model text",
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("ALTER TABLE thread DROP COLUMN chat_provider, DROP COLUMN chat_model");
  }
}
