import type { MigrationInterface, QueryRunner } from "typeorm";

export class CreateQuestions1795250000000 implements MigrationInterface {
  readonly name = "CreateQuestions1795250000000";

  async up(runner: QueryRunner): Promise<void> {
    // When users asked, for daily limits: deleting a thread or a turn does not reset the count.
    await runner.query(
      `CREATE TABLE question (user_id integer NOT NULL, asked_at timestamptz NOT NULL DEFAULT now())`,
    );
    await runner.query(`CREATE INDEX question_user ON question (user_id, asked_at)`);
    // Deleted accounts, until their requests in flight have ended and the data those created is
    // deleted too.
    await runner.query(
      `CREATE TABLE deleted_user (user_id integer PRIMARY KEY, deleted_at timestamptz NOT NULL DEFAULT now())`,
    );
    await runner.query(`CREATE INDEX thread_user ON thread (user_id)`);
    await runner.query(`CREATE INDEX turn_user ON turn (user_id, id)`);
    await runner.query(
      `CREATE INDEX generation_user ON generation (user_id) WHERE state IN ('queued', 'running')`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("DROP INDEX thread_user, turn_user, generation_user");
    await runner.query("DROP TABLE question, deleted_user");
  }
}
