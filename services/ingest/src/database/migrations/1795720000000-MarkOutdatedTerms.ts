import type { MigrationInterface, QueryRunner } from "typeorm";

/**
 * Marks documents whose terms an older analysis made, for `TermsReconciler`: all that exist now. A
 * later change of the analysis marks them again.
 */
export class MarkOutdatedTerms1795720000000 implements MigrationInterface {
  readonly name = "MarkOutdatedTerms1795720000000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      "ALTER TABLE ingest.workspace_document ADD COLUMN has_outdated_terms boolean NOT NULL DEFAULT true",
    );
    await runner.query(
      "ALTER TABLE ingest.workspace_document ALTER COLUMN has_outdated_terms SET DEFAULT false",
    );
    await runner.query(
      "CREATE INDEX workspace_document_outdated_terms ON ingest.workspace_document (id) WHERE has_outdated_terms",
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("ALTER TABLE ingest.workspace_document DROP COLUMN has_outdated_terms");
  }
}
