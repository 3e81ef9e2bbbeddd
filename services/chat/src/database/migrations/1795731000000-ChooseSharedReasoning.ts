import type { MigrationInterface, QueryRunner } from "typeorm";

/** Links made before show no reasoning: their owners didn't agree to it. */
export class ChooseSharedReasoning1795731000000 implements MigrationInterface {
  readonly name = "ChooseSharedReasoning1795731000000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      "ALTER TABLE share ADD COLUMN show_reasoning boolean NOT NULL DEFAULT false",
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("ALTER TABLE share DROP COLUMN show_reasoning");
  }
}
