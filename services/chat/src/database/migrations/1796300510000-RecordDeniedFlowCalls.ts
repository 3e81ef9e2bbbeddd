import type { MigrationInterface, QueryRunner } from "typeorm";

/** What ended a run of a flow because nobody had approved it in advance. */
export class RecordDeniedFlowCalls1796300510000 implements MigrationInterface {
  readonly name = "RecordDeniedFlowCalls1796300510000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query("ALTER TABLE flow_run ADD COLUMN denied jsonb");
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("ALTER TABLE flow_run DROP COLUMN denied");
  }
}
