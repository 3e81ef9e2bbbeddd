import type { MigrationInterface, QueryRunner } from "typeorm";

/** Leases are scanned once per second; most rows have none. */
export class IndexLeases1795320000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      "CREATE INDEX generation_lease ON generation (lease_expires_at) WHERE lease_expires_at IS NOT NULL",
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("DROP INDEX generation_lease");
  }
}
