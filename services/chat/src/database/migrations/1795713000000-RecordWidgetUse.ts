import type { MigrationInterface, QueryRunner } from "typeorm";

/** Which widget's visitor a model was called for. Reports on a widget read single calls. */
export class RecordWidgetUse1795713000000 implements MigrationInterface {
  readonly name = "RecordWidgetUse1795713000000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query("ALTER TABLE model_usage ADD COLUMN widget_id integer");
    await runner.query(`UPDATE model_usage SET widget_id = thread.widget_id
      FROM thread
      WHERE thread.id = model_usage.thread_id AND thread.widget_id IS NOT NULL`);
    await runner.query(
      "CREATE INDEX model_usage_widget ON model_usage (widget_id, used_at) WHERE widget_id IS NOT NULL",
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("ALTER TABLE model_usage DROP COLUMN widget_id");
  }
}
