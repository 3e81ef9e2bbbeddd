import type { MigrationInterface, QueryRunner } from "typeorm";

/**
 * A document follows its source in every workspace that holds it, also in those it is added to
 * later; `workspace_document.watched` is no longer read.
 */
export class WatchDocuments1796150000000 implements MigrationInterface {
  readonly name = "WatchDocuments1796150000000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE ingest.document
        ADD COLUMN watch text CHECK (watch IN ('active', 'stopped')),
        ADD COLUMN watched_by integer`,
    );
    await runner.query(
      "CREATE INDEX document_watched_idx ON ingest.document (id) WHERE watch IS NOT NULL",
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("ALTER TABLE ingest.document DROP COLUMN watch, DROP COLUMN watched_by");
  }
}
