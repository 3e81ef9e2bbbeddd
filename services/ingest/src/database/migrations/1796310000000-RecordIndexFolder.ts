import type { MigrationInterface, QueryRunner } from "typeorm";

/** The folder in which each replica keeps LanceDB, and when it last said so. */
export class RecordIndexFolder1796310000000 implements MigrationInterface {
  readonly name = "RecordIndexFolder1796310000000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE ingest.index_folder (
      replica uuid PRIMARY KEY,
      folder text NOT NULL,
      seen_at timestamptz NOT NULL)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("DROP TABLE ingest.index_folder");
  }
}
