import type { MigrationInterface, QueryRunner } from "typeorm";

/**
 * Keeps why a document failed as a code with parameters, which clients translate. Existing reasons
 * stay text, as JSON strings.
 */
export class CodeReasons1795480000000 implements MigrationInterface {
  readonly name = "CodeReasons1795480000000";

  async up(runner: QueryRunner): Promise<void> {
    for (const table of ["document", "workspace_document"])
      await runner.query(
        `ALTER TABLE ingest.${table} ALTER COLUMN reason TYPE jsonb USING to_jsonb(reason)`,
      );
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ["document", "workspace_document"])
      await runner.query(
        `ALTER TABLE ingest.${table} ALTER COLUMN reason TYPE text USING reason #>> '{}'`,
      );
  }
}
