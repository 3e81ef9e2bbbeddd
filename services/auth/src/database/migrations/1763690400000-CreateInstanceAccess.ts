import type { MigrationInterface, QueryRunner } from "typeorm";

/** A single row: how to access the instance in single-user mode. */
export class CreateInstanceAccess1763690400000 implements MigrationInterface {
  name = "CreateInstanceAccess1763690400000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE "auth"."instance_access" (
      "id" integer PRIMARY KEY CHECK ("id" = 1),
      "password_hash" text,
      "epoch" integer NOT NULL DEFAULT 0,
      "updated_at" timestamptz(3) NOT NULL DEFAULT now()
    )`);
    await runner.query(`INSERT INTO "auth"."instance_access" ("id") VALUES (1)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE "auth"."instance_access"`);
  }
}
