import { randomUUID } from "node:crypto";
import { Injectable } from "@nestjs/common";
import { preparedQuery } from "@carrel/database";
import { resultKey, type RequestContext } from "@carrel/messaging";
import { DataSource, type QueryRunner } from "typeorm";
import { retryDeadlock } from "../database/in-transaction.ts";
import { hasNullCharacter } from "../database/null-character.ts";
import { visibleTurn } from "../database/visible-turn.ts";
import type { HistoryTurn } from "../turn/turn.repository.ts";
import type { NewQuestion } from "./pending-turns.ts";
import { leaseSeconds, Replica } from "./replica.ts";
import type { RunnableGeneration } from "./runnable-generation.ts";

export interface StartedGeneration {
  generation: RunnableGeneration;
  isRunning: boolean;
  /** Resolves once the question is durable; rejects if it was not written. */
  committed: Promise<void>;
}

interface StartedRow {
  thread_id: number;
  turn_id: number;
  running: boolean;
  history: HistoryTurn[] | null;
}

const threadBySlug = `workspace_id = $2 AND (user_id = $3 OR user_id IS NULL) AND slug = $4 AND deleted_at IS NULL`;
const defaultThread = `workspace_id = $2 AND coalesce(user_id, 0) = coalesce($3, 0) AND slug IS NULL AND $4::text IS NULL`;

/**
 * `place` locks the thread like `ThreadRepository.lock`, unless another transaction holds the lock.
 * The statement reads as of its start, so `free` drops a thread that another question changed
 * between then and the lock. `claim` is the request's idempotency key with the reply; without it,
 * nothing is written.
 */
const startSql = (thread: string): string => `
  WITH place AS (SELECT id, ctid AS version FROM thread WHERE ${thread} FOR NO KEY UPDATE SKIP LOCKED),
  free AS (SELECT place.id FROM place JOIN thread ON thread.id = place.id AND thread.ctid = place.version),
  s AS (SELECT id AS thread_id, nextval(pg_get_serial_sequence('turn', 'id'))::int AS turn_id,
    $9::boolean AND NOT EXISTS (SELECT 1 FROM generation WHERE thread_id = free.id AND state IN ('queued', 'running')) AS running FROM free),
  claim AS (INSERT INTO request_result (key, result)
    SELECT $1, jsonb_build_object('value', jsonb_build_object('generationId', $5::text, 'chatId', turn_id, 'queued', NOT running, 'frames', jsonb_build_array())) FROM s
    ON CONFLICT (key) DO NOTHING RETURNING key),
  touched AS (UPDATE thread SET last_updated_at = now() FROM s, claim WHERE thread.id = s.thread_id),
  old AS (SELECT question.ctid FROM question, claim WHERE user_id = $3 AND asked_at <= now() - interval '24 hours' FOR UPDATE OF question SKIP LOCKED),
  gone AS (DELETE FROM question USING old WHERE question.ctid = old.ctid),
  asked AS (INSERT INTO question (user_id) SELECT $3::int FROM claim WHERE $3::int IS NOT NULL),
  t AS (INSERT INTO turn (id, thread_id, workspace_id, user_id, question, attachments, mode, state, parent_id)
    SELECT s.turn_id, s.thread_id, $2, $3::int, $6, $7::json, coalesce($8::text, 'chat'), CASE WHEN s.running THEN 'running' ELSE 'queued' END,
      (SELECT b.id FROM turn b WHERE b.thread_id = s.thread_id AND b.user_id IS NOT DISTINCT FROM $3 AND b.active ORDER BY b.id DESC LIMIT 1) FROM s, claim RETURNING id),
  g AS (INSERT INTO generation (id, turn_id, thread_id, workspace_id, user_id, state, scope, requested_mode, time_zone, locale, lease_owner, lease_expires_at, started_at)
    SELECT $5::uuid, t.id, s.thread_id, $2, $3::int, CASE WHEN s.running THEN 'running' ELSE 'queued' END, $10::jsonb, $8::text, $11::text, $12::text,
      CASE WHEN s.running THEN $13::text END, CASE WHEN s.running THEN now() + make_interval(secs => $14::float8) END, CASE WHEN s.running THEN now() END
    FROM s, t RETURNING thread_id, turn_id, state = 'running' AS running)
  SELECT thread_id, turn_id, running, CASE WHEN running THEN (
    SELECT coalesce(json_agg(json_build_object('question', question, 'answer', answer, 'attachments', attachments) ORDER BY id), '[]') FROM (
      SELECT id, question, answer, attachments FROM turn WHERE thread_id = g.thread_id AND workspace_id = $2 AND user_id IS NOT DISTINCT FROM $3 AND ${visibleTurn("turn")}
      ORDER BY id DESC LIMIT $15) recent) END AS history FROM g`;

const startInThread = startSql(threadBySlug);
const startInDefaultThread = startSql(defaultThread);

/** Starts generations in the default case: one more question in an existing thread. */
@Injectable()
export class GenerationStartRepository {
  constructor(
    private readonly dataSource: DataSource,
    private readonly replica: Replica,
  ) {}

  /**
   * Writes the request's result, the question, its turn and its generation, and reads the history,
   * in one statement. Returns before the commit is durable. Returns null, having written nothing,
   * if the request is a duplicate, the thread is missing, or another transaction is changing it.
   *
   * @param mayRun whether this replica has a free slot; otherwise the question is queued
   */
  async start(
    ctx: RequestContext,
    o: NewQuestion,
    { mayRun, historyLimit }: { mayRun: boolean; historyLimit: number },
  ): Promise<StartedGeneration | null> {
    if (o.threadSlug !== null && hasNullCharacter(o.threadSlug)) return null;
    const id = randomUUID();
    const { runner, row } = await retryDeadlock(() =>
      this.write([
        resultKey(ctx),
        o.scope.workspace.id,
        o.scope.principal.userId,
        o.threadSlug,
        id,
        o.question,
        JSON.stringify(o.attachments),
        o.requestedMode,
        mayRun,
        JSON.stringify(o.scope),
        o.timeZone,
        o.locale,
        this.replica.id,
        leaseSeconds,
        historyLimit,
      ]),
    );
    if (row === undefined) {
      await runner.rollbackTransaction().finally(() => runner.release());
      return null;
    }
    return {
      generation: {
        id,
        turnId: row.turn_id,
        threadId: row.thread_id,
        scope: o.scope,
        requestedMode: o.requestedMode,
        question: o.question,
        attachments: o.attachments,
        timeZone: o.timeZone,
        locale: o.locale,
        notices: [],
        search: null,
        history: row.history,
      },
      isRunning: row.running,
      committed: runner.commitTransaction().finally(() => runner.release()),
    };
  }

  /** Leaves the transaction open, unless it throws. */
  private async write(
    parameters: unknown[],
  ): Promise<{ runner: QueryRunner; row: StartedRow | undefined }> {
    const runner = this.dataSource.createQueryRunner();
    try {
      await runner.startTransaction();
      const [name, sql] =
        parameters[3] === null
          ? ["start in default thread", startInDefaultThread]
          : ["start in thread", startInThread];
      const [row] = await preparedQuery<StartedRow>(runner, name, sql, parameters);
      return { runner, row };
    } catch (error) {
      await runner.rollbackTransaction().catch(() => undefined);
      await runner.release();
      throw error;
    }
  }
}
