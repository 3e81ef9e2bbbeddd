import type { MigrationInterface, QueryRunner } from "typeorm";

/**
 * Keeps the failure and the notices of an answer as codes with parameters, which clients translate.
 * Existing answers keep their text in `error` and `notices`.
 */
export class CodeNoticesAndFaults1795400000000 implements MigrationInterface {
  name = "CodeNoticesAndFaults1795400000000";

  async up(runner: QueryRunner): Promise<void> {
    // A constant default doesn't rewrite existing rows.
    await runner.query(
      "ALTER TABLE turn ADD COLUMN fault json, ADD COLUMN coded_notices json NOT NULL DEFAULT '[]'",
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("ALTER TABLE turn DROP COLUMN fault, DROP COLUMN coded_notices");
  }
}
