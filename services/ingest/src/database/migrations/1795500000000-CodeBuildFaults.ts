import type { MigrationInterface, QueryRunner } from "typeorm";

/**
 * Keeps why an index build waits or failed as a code with parameters. The column `message` stays
 * for what replicas of older versions write.
 */
export class CodeBuildFaults1795500000000 implements MigrationInterface {
  readonly name = "CodeBuildFaults1795500000000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query("ALTER TABLE ingest.search_index ADD COLUMN fault jsonb");
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("ALTER TABLE ingest.search_index DROP COLUMN fault");
  }
}
