import type { MigrationInterface, QueryRunner } from "typeorm";

/**
 * MCP servers. `owner_id` null: the instance's. `approved` has the hash and the description of each
 * tool as an admin approved it; null until the tools were listed for the first time. `version`
 * increases when connections have to be made again.
 */
export class CreateMcpServers1796110000000 implements MigrationInterface {
  readonly name = "CreateMcpServers1796110000000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE mcp_server (
      id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      name text NOT NULL,
      owner_id integer,
      sealed_config text NOT NULL,
      sealed_sign_in text,
      sealed_pending text,
      enabled boolean NOT NULL DEFAULT true,
      auto_start boolean NOT NULL DEFAULT true,
      suppressed jsonb NOT NULL DEFAULT '[]',
      approved jsonb,
      version integer NOT NULL DEFAULT 1,
      created_at timestamptz NOT NULL DEFAULT now())`);
    await runner.query("CREATE UNIQUE INDEX mcp_server_name ON mcp_server (lower(name))");
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("DROP TABLE mcp_server");
  }
}
