import type { MigrationInterface, QueryRunner } from "typeorm";

/** Uploads may name any source, but aren't fetched from one. */
export class MarkUploads1796160000000 implements MigrationInterface {
  readonly name = "MarkUploads1796160000000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      "ALTER TABLE ingest.document ADD COLUMN is_upload boolean NOT NULL DEFAULT false",
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("ALTER TABLE ingest.document DROP COLUMN is_upload");
  }
}
