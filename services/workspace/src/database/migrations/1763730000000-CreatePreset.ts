import type { MigrationInterface, QueryRunner } from "typeorm";

/**
 * Slash commands, prompt variables, suggested messages, prompt history and more workspace columns.
 */
export class CreatePreset1763730000000 implements MigrationInterface {
  name = "CreatePreset1763730000000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "workspace"."workspace"
      ADD COLUMN "agent_provider" text,
      ADD COLUMN "agent_model" text,
      ADD COLUMN "vector_search_mode" text NOT NULL DEFAULT 'default' CHECK ("vector_search_mode" IN ('default', 'rerank')),
      ADD COLUMN "picture_key" text`);
    // `uid` is the owner but never null, so that the unique constraint also covers commands without
    // an owner.
    await runner.query(`CREATE TABLE "workspace"."preset" (
      "id" integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      "user_id" integer,
      "uid" integer GENERATED ALWAYS AS (coalesce("user_id", 0)) STORED,
      "command" text NOT NULL,
      "prompt" text NOT NULL,
      "description" text NOT NULL,
      "created_at" timestamptz(3) NOT NULL DEFAULT now(),
      "updated_at" timestamptz(3) NOT NULL DEFAULT now(),
      CONSTRAINT "preset_command_key" UNIQUE ("uid", "command")
    )`);
    await runner.query(`CREATE TABLE "workspace"."variable" (
      "id" integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      "key" text NOT NULL CONSTRAINT "variable_key_key" UNIQUE,
      "value" text NOT NULL,
      "description" text,
      "user_id" integer,
      "created_at" timestamptz(3) NOT NULL DEFAULT now(),
      "updated_at" timestamptz(3) NOT NULL DEFAULT now()
    )`);
    await runner.query(`CREATE TABLE "workspace"."suggested_message" (
      "workspace_id" integer NOT NULL REFERENCES "workspace"."workspace" ("id") ON DELETE CASCADE,
      "position" integer NOT NULL,
      "heading" text NOT NULL,
      "message" text NOT NULL,
      PRIMARY KEY ("workspace_id", "position")
    )`);
    await runner.query(`CREATE TABLE "workspace"."prompt_history" (
      "id" integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      "workspace_id" integer NOT NULL REFERENCES "workspace"."workspace" ("id") ON DELETE CASCADE,
      "prompt" text NOT NULL,
      "modified_by" integer,
      "modified_at" timestamptz(3) NOT NULL DEFAULT now()
    )`);
    await runner.query(
      `CREATE INDEX "prompt_history_workspace_idx" ON "workspace"."prompt_history" ("workspace_id", "id" DESC)`,
    );
    await runner.query(
      `CREATE INDEX "prompt_history_user_idx" ON "workspace"."prompt_history" ("modified_by") WHERE "modified_by" IS NOT NULL`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      `DROP TABLE "workspace"."prompt_history", "workspace"."suggested_message", "workspace"."variable", "workspace"."preset"`,
    );
    await runner.query(
      `ALTER TABLE "workspace"."workspace" DROP COLUMN "agent_provider", DROP COLUMN "agent_model", DROP COLUMN "vector_search_mode", DROP COLUMN "picture_key"`,
    );
  }
}
