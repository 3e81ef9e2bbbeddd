import type { MigrationInterface, QueryRunner } from "typeorm";

/**
 * Instance settings. Plain values and sealed secrets are in separate columns, and every write
 * raises the version.
 */
export class CreateSetting1763690500000 implements MigrationInterface {
  name = "CreateSetting1763690500000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE SEQUENCE "workspace"."setting_version"`);
    await runner.query(`CREATE TABLE "workspace"."setting" (
      "key" text PRIMARY KEY,
      "value" text,
      "sealed" text,
      "version" bigint NOT NULL DEFAULT nextval('"workspace"."setting_version"'),
      "updated_at" timestamptz(3) NOT NULL DEFAULT now(),
      CHECK ("value" IS NULL OR "sealed" IS NULL)
    )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE "workspace"."setting"`);
    await runner.query(`DROP SEQUENCE "workspace"."setting_version"`);
  }
}
