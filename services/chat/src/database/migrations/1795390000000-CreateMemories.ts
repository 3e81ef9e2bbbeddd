import type { MigrationInterface, QueryRunner } from "typeorm";

/** User memories, and the queue of turns from which a model has yet to extract them. */
export class CreateMemories1795390000000 implements MigrationInterface {
  name = "CreateMemories1795390000000";

  async up(runner: QueryRunner): Promise<void> {
    // Without an owner, a memory belongs to the instance; without a workspace, it applies
    // everywhere.
    await runner.query(`CREATE TABLE memory (
      id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY, user_id integer, workspace_id integer, content text NOT NULL,
      last_used_at timestamptz, created_at timestamptz NOT NULL DEFAULT now(), updated_at timestamptz NOT NULL DEFAULT now())`);
    // Used for every question.
    await runner.query(
      "CREATE INDEX memory_owner ON memory ((coalesce(user_id, 0)), (coalesce(workspace_id, 0)))",
    );
    await runner.query("CREATE INDEX memory_workspace ON memory (workspace_id)");
    // A row is deleted once its turn has been processed, or with its turn.
    await runner.query(`CREATE TABLE memory_turn (
      turn_id integer PRIMARY KEY REFERENCES turn (id) ON DELETE CASCADE, thread_id integer NOT NULL, noted_at timestamptz NOT NULL DEFAULT now())`);
    await runner.query("CREATE INDEX memory_turn_thread ON memory_turn (thread_id)");
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("DROP TABLE memory_turn, memory");
  }
}
