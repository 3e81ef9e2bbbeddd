import type { MigrationInterface, QueryRunner } from "typeorm";

/**
 * What the tools of an answer did: as clients see it, with the turn, and in full, so that a run can
 * go on after its replica died.
 */
export class RecordSteps1796090000000 implements MigrationInterface {
  readonly name = "RecordSteps1796090000000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query("ALTER TABLE turn ADD COLUMN steps json");
    await runner.query("ALTER TABLE turn DROP CONSTRAINT turn_mode_check");
    await runner.query(
      "ALTER TABLE turn ADD CONSTRAINT turn_mode_check CHECK (mode IN ('chat', 'query', 'automatic')) NOT VALID",
    );
    await runner.query("ALTER TABLE generation DROP CONSTRAINT generation_requested_mode_check");
    await runner.query(
      "ALTER TABLE generation ADD CONSTRAINT generation_requested_mode_check CHECK (requested_mode IN ('chat', 'query', 'automatic')) NOT VALID",
    );
    await runner.query(`CREATE TABLE run_step (
      turn_id integer NOT NULL REFERENCES turn (id) ON DELETE CASCADE,
      position integer NOT NULL,
      kind text NOT NULL CHECK (kind IN ('model', 'tool')),
      call json NOT NULL,
      result json,
      decision text CHECK (decision IN ('once', 'run', 'always', 'denied')),
      answers json,
      started_at timestamptz NOT NULL DEFAULT now(),
      ended_at timestamptz,
      PRIMARY KEY (turn_id, position)
    )`);
    await runner.query(`CREATE TABLE generated_file (
      file text PRIMARY KEY,
      turn_id integer NOT NULL REFERENCES turn (id) ON DELETE CASCADE,
      name text NOT NULL,
      mime text NOT NULL,
      bytes integer NOT NULL,
      created_at timestamptz NOT NULL DEFAULT now()
    )`);
    await runner.query("CREATE INDEX generated_file_turn_idx ON generated_file (turn_id)");
    // The blob is deleted by whoever deletes those of attachments.
    await runner.query(`CREATE FUNCTION release_generated_file() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      INSERT INTO chat.released_attachment (key)
      VALUES ('generated/' || replace(OLD.file, '.', '/')) ON CONFLICT DO NOTHING;
      RETURN NULL; END $$`);
    await runner.query(`CREATE TRIGGER generated_file_released AFTER DELETE ON generated_file
      FOR EACH ROW EXECUTE FUNCTION release_generated_file()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("DROP TABLE generated_file");
    await runner.query("DROP FUNCTION release_generated_file()");
    await runner.query("DROP TABLE run_step");
    await runner.query("ALTER TABLE turn DROP COLUMN steps");
  }
}
