import type { MigrationInterface, QueryRunner } from "typeorm";

/**
 * The version of each document that was lost with the search index. It is found again once another
 * version is published, so nothing needs to reset it.
 */
export class MarkLostDocuments1796320000000 implements MigrationInterface {
  readonly name = "MarkLostDocuments1796320000000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      "ALTER TABLE ingest.workspace_document ADD COLUMN lost_index_version integer",
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("ALTER TABLE ingest.workspace_document DROP COLUMN lost_index_version");
  }
}
