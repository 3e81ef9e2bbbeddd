import type { MigrationInterface, QueryRunner } from "typeorm";

/**
 * Sessions of agents over a socket. Its address is a credential, so only a hash of it is stored;
 * rows are deleted soon after their session.
 */
export class CreateAgentInvocations1796130000000 implements MigrationInterface {
  readonly name = "CreateAgentInvocations1796130000000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE agent_invocation (
      id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      uuid_hash text NOT NULL UNIQUE,
      workspace_id integer NOT NULL,
      scope json NOT NULL,
      thread_slug text,
      prompt text NOT NULL,
      attachments json NOT NULL,
      time_zone text,
      locale text,
      generation_id uuid,
      turns integer NOT NULL DEFAULT 0,
      connection uuid,
      closed boolean NOT NULL DEFAULT false,
      created_at timestamptz NOT NULL DEFAULT now(),
      used_at timestamptz,
      seen_at timestamptz NOT NULL DEFAULT now()
    )`);
    await runner.query("CREATE INDEX agent_invocation_seen ON agent_invocation (seen_at)");
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("DROP TABLE agent_invocation");
  }
}
