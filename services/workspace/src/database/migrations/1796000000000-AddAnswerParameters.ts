import type { MigrationInterface, QueryRunner } from "typeorm";

/** How a workspace's model answers; null leaves all of it to the model. */
export class AddAnswerParameters1796000000000 implements MigrationInterface {
  name = "AddAnswerParameters1796000000000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE workspace.workspace ADD COLUMN answer_parameters jsonb`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE workspace.workspace DROP COLUMN answer_parameters`);
  }
}
