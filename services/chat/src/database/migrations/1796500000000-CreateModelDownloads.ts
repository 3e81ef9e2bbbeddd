import type { MigrationInterface, QueryRunner } from "typeorm";

/** Downloads of language models, until their file is there. One runs at a time, under a lease. */
export class CreateModelDownloads1796500000000 implements MigrationInterface {
  readonly name = "CreateModelDownloads1796500000000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE model_download (
      model text PRIMARY KEY,
      state text NOT NULL,
      done_bytes bigint NOT NULL DEFAULT 0,
      total_bytes bigint NOT NULL,
      use_when_ready boolean NOT NULL,
      fault jsonb,
      lease_owner uuid,
      lease_until timestamptz,
      created_at timestamptz NOT NULL DEFAULT now())`);
    await runner.query(
      "CREATE UNIQUE INDEX model_download_one ON model_download ((true)) WHERE state <> 'failed'",
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("DROP TABLE model_download");
  }
}
