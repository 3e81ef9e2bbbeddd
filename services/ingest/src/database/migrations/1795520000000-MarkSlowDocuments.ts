import type { MigrationInterface, QueryRunner } from "typeorm";

/** Marks slow documents in a column of their own instead of by 0 pages to recognise. */
export class MarkSlowDocuments1795520000000 implements MigrationInterface {
  readonly name = "MarkSlowDocuments1795520000000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      "ALTER TABLE ingest.document ADD COLUMN is_slow boolean NOT NULL DEFAULT false",
    );
    await runner.query(
      "UPDATE ingest.document SET is_slow = true, recognition_pages = NULL WHERE recognition_pages = 0",
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("UPDATE ingest.document SET recognition_pages = 0 WHERE is_slow");
    await runner.query("ALTER TABLE ingest.document DROP COLUMN is_slow");
  }
}
