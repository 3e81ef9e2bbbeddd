import type { MigrationInterface, QueryRunner } from "typeorm";

/** Records how many sheets a spreadsheet had, to tell whether all of them are still there. */
export class CountSheets1795530000000 implements MigrationInterface {
  readonly name = "CountSheets1795530000000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query("ALTER TABLE ingest.document ADD COLUMN sheet_count integer");
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("ALTER TABLE ingest.document DROP COLUMN sheet_count");
  }
}
