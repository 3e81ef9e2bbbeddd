import type { MigrationInterface, QueryRunner } from "typeorm";

/** Notices about runs of flows lead to these. */
export class NoticeFlowRuns1796300530000 implements MigrationInterface {
  name = "NoticeFlowRuns1796300530000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query("ALTER TABLE workspace.notice ADD COLUMN flow_run_id uuid");
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("ALTER TABLE workspace.notice DROP COLUMN flow_run_id");
  }
}
