import type { MigrationInterface, QueryRunner } from "typeorm";

/** Marks recordings, which have a queue of their own. */
export class MarkRecordings1795540000000 implements MigrationInterface {
  readonly name = "MarkRecordings1795540000000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      "ALTER TABLE ingest.document ADD COLUMN is_recording boolean NOT NULL DEFAULT false",
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("ALTER TABLE ingest.document DROP COLUMN is_recording");
  }
}
