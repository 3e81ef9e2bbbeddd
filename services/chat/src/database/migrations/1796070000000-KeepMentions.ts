import type { MigrationInterface, QueryRunner } from "typeorm";

/** What was chosen with `@` for a question, by name: `[{"kind": "folder", "name": "plans"}]`. */
export class KeepMentions1796070000000 implements MigrationInterface {
  readonly name = "KeepMentions1796070000000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query("ALTER TABLE turn ADD COLUMN mentions jsonb NOT NULL DEFAULT '[]'");
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("ALTER TABLE turn DROP COLUMN mentions");
  }
}
