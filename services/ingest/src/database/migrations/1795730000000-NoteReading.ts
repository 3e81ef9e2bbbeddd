import type { MigrationInterface, QueryRunner } from "typeorm";

/** What was left out of a document or only assumed, and the encoding that a person chose for it. */
export class NoteReading1795730000000 implements MigrationInterface {
  readonly name = "NoteReading1795730000000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      "ALTER TABLE ingest.document ADD COLUMN notes jsonb, ADD COLUMN encoding text",
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("ALTER TABLE ingest.document DROP COLUMN notes, DROP COLUMN encoding");
  }
}
