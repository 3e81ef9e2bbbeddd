import type { MigrationInterface, QueryRunner } from "typeorm";

export class AddRecognition1795400000000 implements MigrationInterface {
  name = "AddRecognition1795400000000";

  async up(runner: QueryRunner): Promise<void> {
    // Pages in which text is to be recognised: such a document waits in a queue of its own.
    await runner.query(`ALTER TABLE "ingest"."document" ADD COLUMN "recognition_pages" integer`);
    // The sheets of one spreadsheet are documents of one upload.
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
