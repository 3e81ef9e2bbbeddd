import type { MigrationInterface, QueryRunner } from "typeorm";

/** Conversations outside the app, and what replaces the workspace's settings for an answer. */
export class AddConversations1795483000000 implements MigrationInterface {
  readonly name = "AddConversations1795483000000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE thread
      ADD COLUMN channel text CHECK (channel IN ('api', 'openai', 'widget')),
      ADD COLUMN session_id text,
      ADD COLUMN widget_id integer,
      ADD CONSTRAINT thread_session_check CHECK ((channel IS NULL) = (session_id IS NULL))`);
    await runner.query(
      `CREATE UNIQUE INDEX thread_conversation
      ON thread (workspace_id, channel, (coalesce(widget_id, 0)), session_id)
      WHERE channel IS NOT NULL`,
    );
    await this.replaceDefault(runner, "slug IS NULL AND channel IS NULL");
    await runner.query("ALTER TABLE generation ADD COLUMN overrides jsonb");
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("ALTER TABLE generation DROP COLUMN overrides");
    await runner.query("DELETE FROM thread WHERE channel IS NOT NULL");
    await this.replaceDefault(runner, "slug IS NULL");
    await runner.query("DROP INDEX thread_conversation");
    await runner.query(
      "ALTER TABLE thread DROP COLUMN channel, DROP COLUMN session_id, DROP COLUMN widget_id",
    );
  }

  /** Conversations have no slug either, but many of them may belong to one owner. */
  private async replaceDefault(runner: QueryRunner, condition: string): Promise<void> {
    await runner.query("DROP INDEX thread_default");
    await runner.query(
      `CREATE UNIQUE INDEX thread_default ON thread (workspace_id, (coalesce(user_id, 0)))
      WHERE ${condition}`,
    );
  }
}
