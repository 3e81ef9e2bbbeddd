import type { MigrationInterface, QueryRunner } from "typeorm";

/** Whom an invite is for, their role, and how often and how long it can be accepted. */
export class LimitInvites1796040000000 implements MigrationInterface {
  readonly name = "LimitInvites1796040000000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE auth.invite
      ADD COLUMN label text,
      ADD COLUMN role text NOT NULL DEFAULT 'default' CHECK (role IN ('default', 'manager')),
      ADD COLUMN max_uses integer NOT NULL DEFAULT 1 CHECK (max_uses > 0),
      ADD COLUMN uses integer NOT NULL DEFAULT 0,
      ADD COLUMN expires_at timestamptz(3)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE auth.invite
      DROP COLUMN label,
      DROP COLUMN role,
      DROP COLUMN max_uses,
      DROP COLUMN uses,
      DROP COLUMN expires_at`);
  }
}
