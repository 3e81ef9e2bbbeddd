import type { MigrationInterface, QueryRunner } from "typeorm";

/** Skills and tools that an admin has switched on or off for a session of an agent. */
export class RecordToolSwitches1796230000000 implements MigrationInterface {
  readonly name = "RecordToolSwitches1796230000000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      "ALTER TABLE agent_invocation ADD COLUMN tool_switches jsonb NOT NULL DEFAULT '{}'",
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("ALTER TABLE agent_invocation DROP COLUMN tool_switches");
  }
}
