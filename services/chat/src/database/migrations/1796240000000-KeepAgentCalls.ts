import type { MigrationInterface, QueryRunner } from "typeorm";

/**
 * How a question called the agent, for people who read what they typed. `question` lacks it:
 * existing clients and models get that.
 */
export class KeepAgentCalls1796240000000 implements MigrationInterface {
  readonly name = "KeepAgentCalls1796240000000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query("ALTER TABLE turn ADD COLUMN agent_call text NOT NULL DEFAULT ''");
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("ALTER TABLE turn DROP COLUMN agent_call");
  }
}
