import type { MigrationInterface, QueryRunner } from "typeorm";

/** How many pictures of a document are still to be recognised, although its text is stored. */
export class ReadPicturesLater1795741000000 implements MigrationInterface {
  readonly name = "ReadPicturesLater1795741000000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query("ALTER TABLE ingest.document ADD COLUMN pictures_due integer");
    await runner.query(
      `CREATE INDEX document_pictures_due ON ingest.document (updated_at) WHERE pictures_due > 0`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("ALTER TABLE ingest.document DROP COLUMN pictures_due");
  }
}
