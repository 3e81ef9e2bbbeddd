import type { MigrationInterface, QueryRunner } from "typeorm";

/**
 * A search across workspaces asks whether one of them is being rebuilt. Usually none is, and without
 * this index finding that out would scan every document.
 */
export class IndexLostDocuments1796610000000 implements MigrationInterface {
  readonly name = "IndexLostDocuments1796610000000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE INDEX workspace_document_lost ON ingest.workspace_document (workspace_id)
        WHERE index_version = lost_index_version AND state <> 'failed'`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("DROP INDEX ingest.workspace_document_lost");
  }
}
