import type { MigrationInterface, QueryRunner } from "typeorm";

/** Runs whose listing left out something that can be asked for one by one. */
export class AskUnlisted1796140000000 implements MigrationInterface {
  readonly name = "AskUnlisted1796140000000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      "ALTER TABLE connection_run ADD COLUMN asks_unlisted boolean NOT NULL DEFAULT false",
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("ALTER TABLE connection_run DROP COLUMN asks_unlisted");
  }
}
