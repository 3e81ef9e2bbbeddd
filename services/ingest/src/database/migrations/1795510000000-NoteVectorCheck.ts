import type { MigrationInterface, QueryRunner } from "typeorm";

/** Keeps whether an index's vectors passed their self-check; null until it ran. */
export class NoteVectorCheck1795510000000 implements MigrationInterface {
  readonly name = "NoteVectorCheck1795510000000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query("ALTER TABLE ingest.search_index ADD COLUMN vectors_work boolean");
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("ALTER TABLE ingest.search_index DROP COLUMN vectors_work");
  }
}
