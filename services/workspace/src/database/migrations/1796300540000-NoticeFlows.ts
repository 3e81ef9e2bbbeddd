import type { MigrationInterface, QueryRunner } from "typeorm";

/** A newer notice about a flow's runs replaces those that weren't read. */
export class NoticeFlows1796300540000 implements MigrationInterface {
  name = "NoticeFlows1796300540000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query("ALTER TABLE workspace.notice ADD COLUMN flow_id uuid");
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("ALTER TABLE workspace.notice DROP COLUMN flow_id");
  }
}
