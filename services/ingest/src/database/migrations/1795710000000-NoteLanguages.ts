import type { MigrationInterface, QueryRunner } from "typeorm";

/**
 * Keeps the language of each workspace document, null until it is detected, and the self-check of an
 * index by language. Earlier versions keep reading `vectors_work`.
 */
export class NoteLanguages1795710000000 implements MigrationInterface {
  readonly name = "NoteLanguages1795710000000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query("ALTER TABLE ingest.workspace_document ADD COLUMN language text");
    await runner.query(`CREATE INDEX workspace_document_without_language
      ON ingest.workspace_document (document_id)
      WHERE language IS NULL AND index_version IS NOT NULL`);
    await runner.query(
      "ALTER TABLE ingest.search_index ADD COLUMN vector_checks jsonb NOT NULL DEFAULT '{}'",
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("ALTER TABLE ingest.search_index DROP COLUMN vector_checks");
    await runner.query("ALTER TABLE ingest.workspace_document DROP COLUMN language");
  }
}
