import type { MigrationInterface, QueryRunner } from "typeorm";

/** Calls of a client's tools, for readers that come back after the stream has expired. */
export class KeepToolCalls1795712000000 implements MigrationInterface {
  readonly name = "KeepToolCalls1795712000000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query("ALTER TABLE generation ADD COLUMN tool_calls json");
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("ALTER TABLE generation DROP COLUMN tool_calls");
  }
}
