import type { MigrationInterface, QueryRunner } from "typeorm";

/** Models that answer when a workspace's can't; null follows the instance's list. */
export class AddFallbackModels1795600000000 implements MigrationInterface {
  name = "AddFallbackModels1795600000000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE workspace.workspace ADD COLUMN fallback_models jsonb`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE workspace.workspace DROP COLUMN fallback_models`);
  }
}
