import type { MigrationInterface, QueryRunner } from "typeorm";

/**
 * The migration that every service with an outbox or keyed operations lists first: creates `outbox`
 * and `request_result` in its schema.
 */
export function messagingMigration(schema: string): new () => MigrationInterface {
  return class Messaging1760000000000 implements MigrationInterface {
    readonly name = "Messaging1760000000000";
    async up(runner: QueryRunner): Promise<void> {
      await runner.query(`CREATE TABLE "${schema}".outbox (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, kind text NOT NULL CHECK (kind IN ('job', 'event')), name text NOT NULL,
        row_id text, version bigint, delay_ms integer NOT NULL DEFAULT 0, payload jsonb NOT NULL,
        request_id text, traceparent text, created_at timestamptz NOT NULL DEFAULT now())`);
      await runner.query(
        `CREATE TABLE "${schema}".request_result (key text PRIMARY KEY, result jsonb, created_at timestamptz NOT NULL DEFAULT now())`,
      );
      await runner.query(
        `CREATE INDEX request_result_created_idx ON "${schema}".request_result (created_at)`,
      );
    }
    async down(runner: QueryRunner): Promise<void> {
      await runner.query(`DROP TABLE "${schema}".request_result`);
      await runner.query(`DROP TABLE "${schema}".outbox`);
    }
  };
}
