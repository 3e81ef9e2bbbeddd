import type { MigrationInterface, QueryRunner } from "typeorm";

/** Workspace members, instance preferences and the event log. */
export class CreateMember1763700000000 implements MigrationInterface {
  name = "CreateMember1763700000000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE "workspace"."workspace_member" (
      "workspace_id" integer NOT NULL REFERENCES "workspace"."workspace" ("id") ON DELETE CASCADE,
      "user_id" integer NOT NULL,
      "created_at" timestamptz(3) NOT NULL DEFAULT now(),
      PRIMARY KEY ("workspace_id", "user_id")
    )`);
    await runner.query(
      `CREATE INDEX "workspace_member_user_idx" ON "workspace"."workspace_member" ("user_id", "workspace_id")`,
    );
    await runner.query(`CREATE INDEX "workspace_user_idx" ON "workspace"."workspace" ("user_id")`);
    await runner.query(`CREATE TABLE "workspace"."preference" (
      "label" text PRIMARY KEY,
      "value" jsonb NOT NULL,
      "updated_at" timestamptz(3) NOT NULL DEFAULT now()
    )`);
    await runner.query(`CREATE TABLE "workspace"."event_log" (
      "id" integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      "event_id" uuid NOT NULL CONSTRAINT "event_log_event_id_key" UNIQUE,
      "event" text NOT NULL,
      "user_id" integer,
      "metadata" jsonb NOT NULL DEFAULT '{}',
      "occurred_at" timestamptz(3) NOT NULL DEFAULT now()
    )`);
    await runner.query(
      `CREATE INDEX "event_log_newest_idx" ON "workspace"."event_log" ("occurred_at" DESC, "id" DESC)`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE "workspace"."event_log"`);
    await runner.query(`DROP TABLE "workspace"."preference"`);
    await runner.query(`DROP INDEX "workspace"."workspace_user_idx"`);
    await runner.query(`DROP TABLE "workspace"."workspace_member"`);
  }
}
