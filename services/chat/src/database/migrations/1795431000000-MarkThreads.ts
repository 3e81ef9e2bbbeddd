import type { MigrationInterface, QueryRunner } from "typeorm";

/** When owners pinned and archived their threads. */
export class MarkThreads1795431000000 implements MigrationInterface {
  readonly name = "MarkThreads1795431000000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      "ALTER TABLE thread ADD COLUMN pinned_at timestamptz, ADD COLUMN archived_at timestamptz",
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("ALTER TABLE thread DROP COLUMN pinned_at, DROP COLUMN archived_at");
  }
}
