import type { MigrationInterface, QueryRunner } from "typeorm";

/** People who follow a run ask for its items and reasons every few seconds. */
export class IndexRunItems1796150000000 implements MigrationInterface {
  readonly name = "IndexRunItems1796150000000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query("CREATE INDEX source_item_run ON source_item (run_id, ordinal)");
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("DROP INDEX source_item_run");
  }
}
