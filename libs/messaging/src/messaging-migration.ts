import type { MigrationInterface, QueryRunner } from "typeorm";

/**
 * The migration that every service with an outbox or keyed operations lists first: creates `outbox`
 * and `request_result` in its schema.
 */
export function messagingMigration(schema: string): new () => MigrationInterface {
  return class Messaging1760000000000 implements MigrationInterface {
    readonly name = "Messaging1760000000000";
    async up(runner: QueryRunner): Promise<void> {
      await runner.query(`create table "${schema}"."outbox" (
        "id" bigint generated always as identity primary key, "kind" text not null check ("kind" in ('job', 'event')), "name" text not null,
        "row_id" text, "version" bigint, "delay_ms" integer not null default 0, "payload" jsonb not null,
        "request_id" text, "traceparent" text, "created_at" timestamptz not null default now())`);
      await runner.query(
        `create table "${schema}"."request_result" ("key" text primary key, "result" jsonb, "created_at" timestamptz not null default now())`,
      );
      await runner.query(
        `create index "request_result_created_idx" on "${schema}"."request_result" ("created_at")`,
      );
    }
    async down(runner: QueryRunner): Promise<void> {
      await runner.query(`drop table "${schema}"."request_result"`);
      await runner.query(`drop table "${schema}"."outbox"`);
    }
  };
}
