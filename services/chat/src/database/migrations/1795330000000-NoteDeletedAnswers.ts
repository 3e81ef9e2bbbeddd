import type { MigrationInterface, QueryRunner } from "typeorm";

/**
 * Records answers deleted with their conversation while queued or running, so that readers of their
 * streams can be notified.
 */
export class NoteDeletedAnswers1795330000000 implements MigrationInterface {
  readonly name = "NoteDeletedAnswers1795330000000";

  async up(runner: QueryRunner): Promise<void> {
    const [row] = (await runner.query("SELECT current_schema() AS schema")) as { schema: string }[];
    await runner.query(
      "CREATE TABLE deleted_generation (id uuid PRIMARY KEY, deleted_at timestamptz NOT NULL DEFAULT now())",
    );
    await runner.query(`CREATE FUNCTION note_deleted_generation() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      INSERT INTO "${row!.schema}".deleted_generation (id) VALUES (OLD.id) ON CONFLICT DO NOTHING;
      RETURN NULL; END $$`);
    // Rows can be deleted in many ways, including cascades. A lease means that the stream may not
    // have been ended.
    await runner.query(`CREATE TRIGGER generation_deleted AFTER DELETE ON generation FOR EACH ROW
      WHEN (OLD.state IN ('queued', 'running') OR OLD.lease_expires_at IS NOT NULL) EXECUTE FUNCTION note_deleted_generation()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("DROP TRIGGER generation_deleted ON generation");
    await runner.query("DROP FUNCTION note_deleted_generation()");
    await runner.query("DROP TABLE deleted_generation");
  }
}
