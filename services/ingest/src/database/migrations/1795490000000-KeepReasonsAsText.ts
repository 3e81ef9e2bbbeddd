import type { MigrationInterface, QueryRunner } from "typeorm";

/**
 * Keeps why a document failed as text again, faults as JSON: a column of JSON refuses the plain
 * text that replicas of older versions write during an upgrade.
 */
export class KeepReasonsAsText1795490000000 implements MigrationInterface {
  readonly name = "KeepReasonsAsText1795490000000";

  async up(runner: QueryRunner): Promise<void> {
    for (const table of ["document", "workspace_document"])
      await runner.query(
        `ALTER TABLE ingest.${table} ALTER COLUMN reason TYPE text
          USING CASE jsonb_typeof(reason) WHEN 'string' THEN reason #>> '{}' ELSE reason::text END`,
      );
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ["document", "workspace_document"])
      await runner.query(
        `ALTER TABLE ingest.${table} ALTER COLUMN reason TYPE jsonb
          USING CASE WHEN reason LIKE '{"code":%' THEN reason::jsonb ELSE to_jsonb(reason) END`,
      );
  }
}
