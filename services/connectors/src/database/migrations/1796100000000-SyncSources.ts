import type { MigrationInterface, QueryRunner } from "typeorm";

/**
 * Documents are found again by their item, sources may keep what was deleted there, and what
 * existing clients imported is kept for as long as its documents.
 */
export class SyncSources1796100000000 implements MigrationInterface {
  readonly name = "SyncSources1796100000000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE connection
        ADD COLUMN keeps_gone boolean NOT NULL DEFAULT false,
        ADD COLUMN expires_at timestamptz`,
    );
    await runner.query("UPDATE connection SET expires_at = now() + interval '1 day' WHERE is_once");
    await runner.query(
      "CREATE INDEX connection_expires ON connection (expires_at) WHERE expires_at IS NOT NULL",
    );
    await runner.query(
      "CREATE INDEX source_item_document ON source_item (document_id) WHERE document_id IS NOT NULL",
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("DROP INDEX source_item_document");
    await runner.query("ALTER TABLE connection DROP COLUMN keeps_gone, DROP COLUMN expires_at");
  }
}
