import type { MigrationInterface, QueryRunner } from "typeorm";

/**
 * Indexes that omit hidden documents, a statement-level trigger for words, and changes that process
 * documents in disk order.
 */
export class NarrowIndexes1795460000000 implements MigrationInterface {
  name = "NarrowIndexes1795460000000";

  async up(runner: QueryRunner): Promise<void> {
    // Every index containing a row makes updating it slower; a hidden document only stays in those
    // on its names.
    await runner.query(`DROP INDEX "ingest"."document_tags_idx"`);
    await runner.query(
      `CREATE INDEX "document_tags_idx" ON "ingest"."document" USING gin ("tags") WHERE "in_library"`,
    );
    await runner.query(`DROP INDEX "ingest"."document_blob_idx"`);
    await runner.query(
      `CREATE INDEX "document_blob_idx" ON "ingest"."document" ("blob_key") WHERE "blob_key" IS NOT NULL`,
    );
    // Inserts the words of all rows of a statement at once.
    await runner.query(`CREATE FUNCTION "ingest"."add_document_words"() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      INSERT INTO "ingest"."document_words" SELECT "id", "search" FROM "added" WHERE "in_library";
      RETURN NULL; END $$`);
    await runner.query(`DROP TRIGGER "document_words_new" ON "ingest"."document"`);
    await runner.query(
      `CREATE TRIGGER "document_words_new" AFTER INSERT ON "ingest"."document" REFERENCING NEW TABLE AS "added" FOR EACH STATEMENT EXECUTE FUNCTION "ingest"."add_document_words"()`,
    );
    // In id order, the documents of a page would be scattered across the table.
    await runner.query(
      `ALTER TABLE "ingest"."library_change_item" ADD COLUMN "added_at" timestamptz(3) NOT NULL DEFAULT now()`,
    );
    await runner.query(
      `CREATE INDEX "library_change_item_order_idx" ON "ingest"."library_change_item" ("change_id", "added_at", "document_id")`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX "ingest"."library_change_item_order_idx"`);
    await runner.query(`ALTER TABLE "ingest"."library_change_item" DROP COLUMN "added_at"`);
    await runner.query(`DROP TRIGGER "document_words_new" ON "ingest"."document"`);
    await runner.query(
      `CREATE TRIGGER "document_words_new" AFTER INSERT ON "ingest"."document" FOR EACH ROW WHEN (NEW."in_library") EXECUTE FUNCTION "ingest"."keep_document_words"()`,
    );
    await runner.query(`DROP FUNCTION "ingest"."add_document_words"()`);
    await runner.query(`DROP INDEX "ingest"."document_blob_idx"`);
    await runner.query(`CREATE INDEX "document_blob_idx" ON "ingest"."document" ("blob_key")`);
    await runner.query(`DROP INDEX "ingest"."document_tags_idx"`);
    await runner.query(
      `CREATE INDEX "document_tags_idx" ON "ingest"."document" USING gin ("tags")`,
    );
  }
}
