import type { MigrationInterface, QueryRunner } from "typeorm";

/** People are matched every hour, however long a source that fails is left alone. */
export class AskForAccess1796200000000 implements MigrationInterface {
  readonly name = "AskForAccess1796200000000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE connection
        ADD COLUMN access_ask_at timestamptz,
        ADD COLUMN access_lease_until timestamptz`,
    );
    // Until now, a failing source put off the whole check.
    await runner.query(
      `UPDATE connection SET access_ask_at = access_due_at, access_due_at = now()
      WHERE access_failures > 0 AND access_due_at IS NOT NULL`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      "ALTER TABLE connection DROP COLUMN access_ask_at, DROP COLUMN access_lease_until",
    );
  }
}
