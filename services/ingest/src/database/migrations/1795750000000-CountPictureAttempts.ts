import type { MigrationInterface, QueryRunner } from "typeorm";

/** How often storing the text of a document's pictures was tried, so that it ends. */
export class CountPictureAttempts1795750000000 implements MigrationInterface {
  readonly name = "CountPictureAttempts1795750000000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      "ALTER TABLE ingest.document ADD COLUMN picture_attempts integer NOT NULL DEFAULT 0",
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("ALTER TABLE ingest.document DROP COLUMN picture_attempts");
  }
}
