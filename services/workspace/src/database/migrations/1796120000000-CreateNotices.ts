import type { MigrationInterface, QueryRunner } from "typeorm";

/** What happened to people's things; without a user, to those of an instance without accounts. */
export class CreateNotices1796120000000 implements MigrationInterface {
  name = "CreateNotices1796120000000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE workspace.notice (
      id uuid PRIMARY KEY,
      user_id integer,
      kind text NOT NULL,
      title text,
      fault jsonb NOT NULL,
      workspace_id integer,
      document_id uuid,
      connection_id uuid,
      created_at timestamptz(3) NOT NULL,
      read_at timestamptz(3))`);
    await runner.query(
      "CREATE INDEX notice_user_idx ON workspace.notice (user_id, created_at DESC)",
    );
    await runner.query("CREATE INDEX notice_created_idx ON workspace.notice (created_at)");
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("DROP TABLE workspace.notice");
  }
}
