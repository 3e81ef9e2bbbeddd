import type { MigrationInterface, QueryRunner } from "typeorm";

/** Marks turns that an existing client deleted by editing, so that no later deletion shows them. */
export class MarkRemovedTurns1795420000000 implements MigrationInterface {
  readonly name = "MarkRemovedTurns1795420000000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query("ALTER TABLE turn ADD COLUMN removed boolean NOT NULL DEFAULT false");
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("ALTER TABLE turn DROP COLUMN removed");
  }
}
