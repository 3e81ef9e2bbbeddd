import type { MigrationInterface, QueryRunner } from "typeorm";

/** Automatic mode, and the agent skills that are off in a workspace. */
export class AddAgentSettings1796100000000 implements MigrationInterface {
  name = "AddAgentSettings1796100000000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE workspace.workspace
      DROP CONSTRAINT workspace_chat_mode_check,
      ADD CONSTRAINT workspace_chat_mode_check CHECK (chat_mode IN ('chat', 'query', 'automatic')),
      ADD COLUMN disabled_skills text[] NOT NULL DEFAULT '{}'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      `UPDATE workspace.workspace SET chat_mode = 'chat' WHERE chat_mode = 'automatic'`,
    );
    await runner.query(`ALTER TABLE workspace.workspace
      DROP COLUMN disabled_skills,
      DROP CONSTRAINT workspace_chat_mode_check,
      ADD CONSTRAINT workspace_chat_mode_check CHECK (chat_mode IN ('chat', 'query'))`);
  }
}
