import type { MigrationInterface, QueryRunner } from "typeorm";

/** Runs whose listing left out items of a kind, which are kept. */
export class KeepLeftOut1796220000000 implements MigrationInterface {
  readonly name = "KeepLeftOut1796220000000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query("ALTER TABLE connection_run ADD COLUMN left_out jsonb");
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("ALTER TABLE connection_run DROP COLUMN left_out");
  }
}
