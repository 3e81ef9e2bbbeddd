import type { MigrationInterface, QueryRunner } from "typeorm";

/**
 * The documents, folders and the model chosen for a question, as `AnswerOverrides` has them; its
 * generation stays behind when a conversation is forked.
 */
export class KeepQuestionChoices1796080000000 implements MigrationInterface {
  readonly name = "KeepQuestionChoices1796080000000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query("ALTER TABLE turn ADD COLUMN choices jsonb");
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("ALTER TABLE turn DROP COLUMN choices");
  }
}
