import type { MigrationInterface, QueryRunner } from "typeorm";

/** Agents' tools that people have allowed without further approvals. */
export class CreateSkillPermissions1796110000000 implements MigrationInterface {
  readonly name = "CreateSkillPermissions1796110000000";

  async up(runner: QueryRunner): Promise<void> {
    // Without an owner, a permission is the instance's.
    await runner.query(`CREATE TABLE skill_permission (
      user_id integer, skill text NOT NULL, created_at timestamptz NOT NULL DEFAULT now(),
      CONSTRAINT skill_permission_owner UNIQUE NULLS NOT DISTINCT (user_id, skill))`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("DROP TABLE skill_permission");
  }
}
