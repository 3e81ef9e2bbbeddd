import type { MigrationInterface, QueryRunner } from "typeorm";

export class AddRecognition1795400000000 implements MigrationInterface {
  name = "AddRecognition1795400000000";

  async up(runner: QueryRunner): Promise<void> {
    // Number of pages that need text recognition; such documents go through a separate queue.
    await runner.query(`ALTER TABLE "ingest"."document" ADD COLUMN "recognition_pages" integer`);
    // Links the sheets of one spreadsheet, each a document, to their upload.
    await runner.query(`ALTER TABLE "ingest"."document" ADD COLUMN "upload_id" uuid`);
    await runner.query(
      `CREATE INDEX "document_upload_idx" ON "ingest"."document" ("upload_id") WHERE "upload_id" IS NOT NULL`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX "ingest"."document_upload_idx"`);
    await runner.query(`ALTER TABLE "ingest"."document" DROP COLUMN "upload_id"`);
    await runner.query(`ALTER TABLE "ingest"."document" DROP COLUMN "recognition_pages"`);
  }
}
