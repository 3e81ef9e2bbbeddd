import type { MigrationInterface, QueryRunner } from "typeorm";

/** Agent flows, with what each save has stored. `version` is that of the last save. */
export class CreateFlows1796250000000 implements MigrationInterface {
  readonly name = "CreateFlows1796250000000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE flow (
      id uuid PRIMARY KEY,
      name text NOT NULL,
      description text NOT NULL,
      steps jsonb NOT NULL,
      active boolean NOT NULL,
      shared boolean NOT NULL,
      version integer NOT NULL DEFAULT 1,
      updated_at timestamptz NOT NULL DEFAULT now())`);
    await runner.query(`CREATE TABLE flow_version (
      flow_id uuid NOT NULL REFERENCES flow (id) ON DELETE CASCADE,
      version integer NOT NULL,
      name text NOT NULL,
      description text NOT NULL,
      steps jsonb NOT NULL,
      step_count integer NOT NULL,
      saved_by integer,
      saved_at timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (flow_id, version))`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("DROP TABLE flow_version");
    await runner.query("DROP TABLE flow");
  }
}
