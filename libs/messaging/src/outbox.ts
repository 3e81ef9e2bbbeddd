import type { DomainEvent, Job } from "@carrel/contracts";
import { context } from "@carrel/observability";
import { Injectable } from "@nestjs/common";
import type { EntityManager, MigrationInterface, QueryRunner } from "typeorm";
import type { z } from "zod";

/** A job or event to send after the transaction that causes it has committed. */
export type OutboxMessage =
  | { kind: "job"; job: Job; rowId: string; version: number; payload: unknown; delayMs: number }
  | { kind: "event"; event: DomainEvent; payload: unknown };

/** The job ID consists of name, row ID and row version, so adding an existing job is a no-op. */
export const jobMessage = <P extends z.ZodType>(
  job: Job<P>,
  message: { rowId: string | number; version: number; payload: z.input<P>; delayMs?: number },
): OutboxMessage => ({
  kind: "job",
  job,
  rowId: String(message.rowId),
  version: message.version,
  payload: message.payload,
  delayMs: message.delayMs ?? 0,
});

export const eventMessage = <P extends z.ZodType>(
  event: DomainEvent<P>,
  payload: z.input<P>,
): OutboxMessage => ({ kind: "event", event, payload });

export const outboxChannel = (schema: string): string => `carrel_outbox_${schema}`;

/**
 * Writes messages in the caller's transaction; the relay sends them after the commit, at least
 * once.
 */
@Injectable()
export class Outbox {
  constructor(private readonly schema: string) {}

  async add(manager: EntityManager, ...messages: OutboxMessage[]): Promise<void> {
    if (messages.length === 0) return;
    const work = context.get();
    const rows = messages.map((message) => ({
      kind: message.kind,
      name: message.kind === "job" ? message.job.name : message.event.name,
      row_id: message.kind === "job" ? message.rowId : null,
      version: message.kind === "job" ? message.version : null,
      delay_ms: message.kind === "job" ? message.delayMs : 0,
      payload: (message.kind === "job" ? message.job.payload : message.event.payload).parse(
        message.payload,
      ),
    }));
    // Both in one round trip, because every processing step of every document does this.
    await manager.query(
      `WITH added AS (
        INSERT INTO "${this.schema}".outbox (
          kind, name, row_id, version, delay_ms, payload, request_id, traceparent
        )
        SELECT kind, name, row_id, version, delay_ms, payload, $2, $3
        FROM jsonb_to_recordset($1::jsonb) AS r(
          kind text, name text, row_id text, version bigint, delay_ms int, payload jsonb
        )
        RETURNING 1
      )
      SELECT pg_notify($4, '') FROM (SELECT count(*) FROM added) AS counted`,
      [
        JSON.stringify(rows),
        work?.requestId ?? null,
        work?.traceparent ?? null,
        outboxChannel(this.schema),
      ],
    );
  }
}

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
