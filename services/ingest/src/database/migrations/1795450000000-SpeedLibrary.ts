import type { MigrationInterface, QueryRunner } from "typeorm";

/**
 * Scales the library to 100,000 documents: search words in a separate table, deferred cleanup of
 * removed links, and an index in tree order.
 */
export class SpeedLibrary1795450000000 implements MigrationInterface {
  name = "SpeedLibrary1795450000000";

  async up(runner: QueryRunner): Promise<void> {
    // Computing trigrams takes a millisecond per row, and on the document itself every tag or move
    // would recompute them. A narrow table can also be counted in a fifth of the time.
    await runner.query(
      `CREATE TABLE "ingest"."document_words" ("document_id" uuid PRIMARY KEY REFERENCES "ingest"."document" ("id") ON DELETE CASCADE, "search" text NOT NULL)`,
    );
    await runner.query(
      `INSERT INTO "ingest"."document_words" SELECT "id", "search" FROM "ingest"."document" WHERE "in_library"`,
    );
    await runner.query(`DROP INDEX "ingest"."document_search_idx"`);
    // The index deduplicates trigrams anyway; doing so beforehand takes as long as computing them.
    await runner.query(`CREATE OR REPLACE FUNCTION "ingest"."grams"("words" text) RETURNS text[] LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 5000 AS $$
      SELECT ARRAY(SELECT substr("words", "n", 3) FROM generate_series(1, least(length("words"), 1000) - 2) AS "n") $$`);
    await runner.query(
      `CREATE INDEX "document_words_idx" ON "ingest"."document_words" USING gin ("ingest"."grams"("search"))`,
    );
    // As before on `document`: planner statistics would cost more than they help.
    await runner.query(`ALTER INDEX "ingest"."document_words_idx" ALTER COLUMN 1 SET STATISTICS 0`);
    await runner.query(`CREATE FUNCTION "ingest"."keep_document_words"() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      INSERT INTO "ingest"."document_words" VALUES (NEW."id", NEW."search") ON CONFLICT ("document_id") DO UPDATE SET "search" = excluded."search";
      RETURN NULL; END $$`);
    // Statements that remove documents from the library also delete their words, because a trigger
    // per row would take seconds for 100,000 rows.
    await runner.query(
      `CREATE TRIGGER "document_words_new" AFTER INSERT ON "ingest"."document" FOR EACH ROW WHEN (NEW."in_library") EXECUTE FUNCTION "ingest"."keep_document_words"()`,
    );
    await runner.query(
      `CREATE TRIGGER "document_words_changed" AFTER UPDATE ON "ingest"."document" FOR EACH ROW WHEN (NEW."in_library" AND (NOT OLD."in_library" OR OLD."search" <> NEW."search")) EXECUTE FUNCTION "ingest"."keep_document_words"()`,
    );
    // Index in the order of the full tree, with the uploads folder first.
    await runner.query(`DROP INDEX "ingest"."document_folder_idx"`);
    await runner.query(
      `CREATE INDEX "document_tree_idx" ON "ingest"."document" (("folder" <> 'custom-documents'), "folder", "docpath") WHERE "state" = 'parsed' AND "in_library"`,
    );
    // Removed links, kept until their chunks and index rows are gone. Ids share the sequence of
    // index_garbage, because both number a workspace's sweeps.
    await runner.query(
      `CREATE TABLE "ingest"."removed_link" ("id" integer PRIMARY KEY DEFAULT nextval('"ingest"."index_garbage_id_seq"'), "workspace_id" integer NOT NULL, "workspace_document_id" integer NOT NULL, "version" integer NOT NULL, "index_version" integer)`,
    );
    await runner.query(
      `CREATE INDEX "removed_link_workspace_idx" ON "ingest"."removed_link" ("workspace_id", "id")`,
    );
    // Search ignores chunks without a link, so deleting a million of them can wait and needn't
    // delay the reply.
    await runner.query(
      `ALTER TABLE "ingest"."chunk" DROP CONSTRAINT "chunk_workspace_document_id_fkey"`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      `DELETE FROM "ingest"."chunk" c WHERE NOT EXISTS (SELECT 1 FROM "ingest"."workspace_document" w WHERE w."id" = c."workspace_document_id")`,
    );
    await runner.query(
      `ALTER TABLE "ingest"."chunk" ADD CONSTRAINT "chunk_workspace_document_id_fkey" FOREIGN KEY ("workspace_document_id") REFERENCES "ingest"."workspace_document" ("id") ON DELETE CASCADE`,
    );
    await runner.query(`DROP TABLE "ingest"."removed_link"`);
    await runner.query(`DROP INDEX "ingest"."document_tree_idx"`);
    await runner.query(
      `CREATE INDEX "document_folder_idx" ON "ingest"."document" ("folder", "docpath") WHERE "state" = 'parsed' AND "in_library"`,
    );
    for (const trigger of ["document_words_changed", "document_words_new"])
      await runner.query(`DROP TRIGGER "${trigger}" ON "ingest"."document"`);
    await runner.query(`DROP FUNCTION "ingest"."keep_document_words"()`);
    await runner.query(`DROP TABLE "ingest"."document_words"`);
    await runner.query(`CREATE OR REPLACE FUNCTION "ingest"."grams"("words" text) RETURNS text[] LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 5000 AS $$
      SELECT coalesce(array_agg(DISTINCT substr("words", "n", 3)), '{}') FROM generate_series(1, least(length("words"), 1000) - 2) AS "n" $$`);
    await runner.query(
      `CREATE INDEX "document_search_idx" ON "ingest"."document" USING gin ("ingest"."grams"("search"))`,
    );
    await runner.query(
      `ALTER INDEX "ingest"."document_search_idx" ALTER COLUMN 1 SET STATISTICS 0`,
    );
  }
}
