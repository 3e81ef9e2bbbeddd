import type { MigrationInterface, QueryRunner } from "typeorm";

/** Notices about scheduled work, with where its result is. */
export class NoticeSchedules1796300300000 implements MigrationInterface {
  name = "NoticeSchedules1796300300000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      "ALTER TABLE workspace.notice ADD COLUMN schedule_id uuid, ADD COLUMN thread_slug text",
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      "ALTER TABLE workspace.notice DROP COLUMN schedule_id, DROP COLUMN thread_slug",
    );
  }
}
