import type { MigrationInterface, QueryRunner } from "typeorm";

/** Counts an import's runs that were cut short by a killed process, so that it fails eventually. */
export class CountImportRuns1795510000000 implements MigrationInterface {
  readonly name = "CountImportRuns1795510000000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query("ALTER TABLE import ADD COLUMN open_runs integer NOT NULL DEFAULT 0");
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("ALTER TABLE import DROP COLUMN open_runs");
  }
}
