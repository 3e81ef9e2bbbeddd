import type { MigrationInterface, QueryRunner } from "typeorm";

/** The codes of pending invites, sealed; null for invites made before. */
export class KeepInviteCodes1796030000000 implements MigrationInterface {
  readonly name = "KeepInviteCodes1796030000000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE auth.invite ADD COLUMN sealed_code text`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE auth.invite DROP COLUMN sealed_code`);
  }
}
