import type { MigrationInterface, QueryRunner } from "typeorm";

/** Imports and their items. */
export class CreateImports1795500000000 implements MigrationInterface {
  readonly name = "CreateImports1795500000000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE import (
      id uuid PRIMARY KEY,
      connector text NOT NULL,
      sealed_settings text,
      scope jsonb NOT NULL,
      embed boolean NOT NULL,
      metadata jsonb NOT NULL,
      state text NOT NULL CHECK (state IN ('listing', 'fetching', 'done', 'failed')),
      fault jsonb,
      created_at timestamptz NOT NULL DEFAULT now(),
      finished_at timestamptz,
      CHECK ((finished_at IS NULL) = (state IN ('listing', 'fetching'))),
      CHECK ((fault IS NOT NULL) = (state = 'failed')),
      CHECK (sealed_settings IS NULL OR finished_at IS NULL))`);
    await runner.query("CREATE INDEX import_open ON import (created_at) WHERE finished_at IS NULL");
    await runner.query("CREATE INDEX import_finished ON import (finished_at)");
    await runner.query(`CREATE TABLE import_item (
      import_id uuid NOT NULL REFERENCES import (id) ON DELETE CASCADE,
      ordinal integer NOT NULL,
      item jsonb NOT NULL,
      state text NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'done', 'failed')),
      document jsonb,
      fault jsonb,
      PRIMARY KEY (import_id, ordinal),
      CHECK ((document IS NOT NULL) = (state = 'done')),
      CHECK ((fault IS NOT NULL) = (state = 'failed')))`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("DROP TABLE import_item, import");
  }
}
