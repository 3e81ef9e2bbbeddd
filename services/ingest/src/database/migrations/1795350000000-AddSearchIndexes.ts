import type { MigrationInterface, QueryRunner } from "typeorm";

/** Several vector indexes: the active one, one being built and the previous one to roll back to. */
export class AddSearchIndexes1795350000000 implements MigrationInterface {
  name = "AddSearchIndexes1795350000000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE "ingest"."search_index" (
      "id" uuid PRIMARY KEY,
      "role" text NOT NULL CHECK ("role" IN ('active', 'building', 'previous', 'dropped')),
      "engine" text NOT NULL, "model" text NOT NULL, "embedder" text, "table_name" text CONSTRAINT "search_index_table_key" UNIQUE, "dimensions" integer,
      "vector_database" text NOT NULL, "vector_place" text NOT NULL, "text_place" text NOT NULL,
      "settings" text NOT NULL,
      "identity" text,
      "state" text NOT NULL DEFAULT 'running' CHECK ("state" IN ('running', 'waiting', 'failed')),
      "message" text, "retry_at" timestamptz, "lease_until" timestamptz, "version" integer NOT NULL DEFAULT 1,
      "chunks_built" bigint NOT NULL DEFAULT 0, "busy_ms" bigint NOT NULL DEFAULT 0,
      "started_at" timestamptz(3) NOT NULL DEFAULT now(), "since" timestamptz(3) NOT NULL DEFAULT now()
    )`);
    await runner.query(
      `CREATE UNIQUE INDEX "search_index_role_key" ON "ingest"."search_index" ("role") WHERE "role" <> 'dropped'`,
    );
    // Which version of which document each inactive index contains; for the active index, the
    // workspace documents hold this themselves.
    await runner.query(`CREATE TABLE "ingest"."search_index_entry" (
      "index_id" uuid NOT NULL REFERENCES "ingest"."search_index" ("id") ON DELETE CASCADE,
      "workspace_document_id" integer NOT NULL REFERENCES "ingest"."workspace_document" ("id") ON DELETE CASCADE,
      "index_version" integer NOT NULL, PRIMARY KEY ("index_id", "workspace_document_id")
    )`);
    await runner.query(
      `CREATE INDEX "search_index_entry_document_idx" ON "ingest"."search_index_entry" ("workspace_document_id")`,
    );
    // Version of the settings applied last, so that a process with stale settings doesn't revert
    // newer ones.
    await runner.query(
      `ALTER TABLE "ingest"."index_home" ADD COLUMN "settings_version" bigint NOT NULL DEFAULT 0`,
    );
    await runner.query(`DROP TABLE "ingest"."vector_model"`);
    // Counts runs on a row, so that a run that stalled for too long notices it has been replaced.
    for (const table of ["document", "workspace_document"])
      await runner.query(
        `ALTER TABLE "ingest"."${table}" ADD COLUMN "run" integer NOT NULL DEFAULT 0`,
      );
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ["document", "workspace_document"])
      await runner.query(`ALTER TABLE "ingest"."${table}" DROP COLUMN "run"`);
    await runner.query(
      `CREATE TABLE "ingest"."vector_model" ("model" text PRIMARY KEY, "dimensions" integer NOT NULL)`,
    );
    await runner.query(
      `INSERT INTO "ingest"."vector_model" SELECT "table_name", "dimensions" FROM "ingest"."search_index" WHERE "table_name" IS NOT NULL AND "dimensions" IS NOT NULL`,
    );
    await runner.query(`ALTER TABLE "ingest"."index_home" DROP COLUMN "settings_version"`);
    for (const table of ["search_index_entry", "search_index"])
      await runner.query(`DROP TABLE "ingest"."${table}"`);
  }
}
