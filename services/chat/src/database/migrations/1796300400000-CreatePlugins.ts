import type { MigrationInterface, QueryRunner } from "typeorm";

/**
 * Plugins with their files, what they keep between calls, and the content of folders that was
 * adopted. Permissions hold for one content: that of `confirmed_hash`. The
 * manifest keeps its order, which forms follow.
 */
export class CreatePlugins1796300400000 implements MigrationInterface {
  readonly name = "CreatePlugins1796300400000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE plugin (
      hub_id text PRIMARY KEY,
      manifest json NOT NULL,
      content_hash text NOT NULL,
      bytes integer NOT NULL,
      source text NOT NULL,
      active boolean NOT NULL DEFAULT false,
      permissions jsonb,
      confirmed_hash text,
      confirmed_by integer,
      confirmed_at timestamptz,
      sealed_args jsonb NOT NULL DEFAULT '{}',
      created_at timestamptz NOT NULL DEFAULT now(),
      updated_at timestamptz NOT NULL DEFAULT now())`);
    // Names that differ only in case would share a folder on some systems.
    await runner.query("CREATE UNIQUE INDEX plugin_folded_id ON plugin (lower(hub_id))");
    await runner.query(`CREATE TABLE plugin_file (
      hub_id text NOT NULL REFERENCES plugin (hub_id) ON DELETE CASCADE,
      path text NOT NULL,
      content bytea NOT NULL,
      PRIMARY KEY (hub_id, path))`);
    await runner.query(`CREATE TABLE plugin_value (
      hub_id text NOT NULL REFERENCES plugin (hub_id) ON DELETE CASCADE,
      key text NOT NULL,
      value text NOT NULL,
      PRIMARY KEY (hub_id, key))`);
    await runner.query(`CREATE TABLE plugin_folder (
      hub_id text PRIMARY KEY,
      content_hash text NOT NULL)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ["plugin_folder", "plugin_value", "plugin_file", "plugin"])
      await runner.query(`DROP TABLE ${table}`);
  }
}
