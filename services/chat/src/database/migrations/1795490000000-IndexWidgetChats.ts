import type { MigrationInterface, QueryRunner } from "typeorm";

/** For the list of a widget's sessions, most recent first. */
export class IndexWidgetChats1795490000000 implements MigrationInterface {
  readonly name = "IndexWidgetChats1795490000000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE INDEX thread_widget ON thread (widget_id, last_updated_at DESC, id DESC)
      WHERE widget_id IS NOT NULL`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("DROP INDEX thread_widget");
  }
}
