import type { MigrationInterface, QueryRunner } from "typeorm";

/** When a session last proved who uses it; without a value, at its sign-in. */
export class ConfirmSessions1795810000000 implements MigrationInterface {
  readonly name = "ConfirmSessions1795810000000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query("ALTER TABLE auth.session ADD COLUMN confirmed_at timestamptz");
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("ALTER TABLE auth.session DROP COLUMN confirmed_at");
  }
}
