import type { MigrationInterface, QueryRunner } from "typeorm";

/** Counts an answer's runs that were cut short by a killed process, so that it fails eventually. */
export class CountLostRuns1795410000000 implements MigrationInterface {
  readonly name = "CountLostRuns1795410000000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query("ALTER TABLE generation ADD COLUMN lost_runs integer NOT NULL DEFAULT 0");
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("ALTER TABLE generation DROP COLUMN lost_runs");
  }
}
