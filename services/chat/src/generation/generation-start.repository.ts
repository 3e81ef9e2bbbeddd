import { randomUUID } from "node:crypto";
import { Injectable } from "@nestjs/common";
import { queryEarlyRows, StatementBatches, type EarlyRows } from "@carrel/database";
import { resultKey, type RequestContext } from "@carrel/messaging";
import { DataSource } from "typeorm";
import { retryDeadlock } from "../database/in-transaction.ts";
import { hasNullCharacter } from "../database/null-character.ts";
import { visibleTurn } from "../database/visible-turn.ts";
import { readThreadModelChoice } from "../model/thread-model-choice.ts";
import type { HistoryTurn } from "../turn/turn.repository.ts";
import { developerKeyOf } from "../usage/usage-record.ts";
import type { NewQuestion } from "./pending-turns.ts";
import { leaseSeconds, Replica } from "./replica.ts";
import type { RunnableGeneration } from "./runnable-generation.ts";

export interface StartedGeneration {
  generation: RunnableGeneration;
  isRunning: boolean;
  /** Resolves once the question is durable; rejects if it was not written. */
  committed: Promise<void>;
}

/** A question as a row of the statement. */
interface AskedRow {
  key: string;
  generationId: string;
  asked: NewQuestion;
  mayRun: boolean;
  historyLimit: number;
}
interface StartedRow {
  generation_id: string;
  thread_id: number;
  turn_id: number;
  running: boolean;
  chat_provider: string | null;
  chat_model: string | null;
  history: HistoryTurn[] | null;
}
type Written = (StartedRow & { committed: Promise<void> }) | null;

const threadBySlug = `thread.workspace_id = asked.workspace_id
    AND (thread.user_id = asked.user_id OR thread.user_id IS NULL)
    AND thread.slug = asked.slug
    AND thread.deleted_at IS NULL`;
const defaultThread = `thread.workspace_id = asked.workspace_id
    AND coalesce(thread.user_id, 0) = coalesce(asked.user_id, 0)
    AND thread.slug IS NULL`;

/**
 * `place` locks the threads like `ThreadRepository.lock`, unless another transaction holds the lock.
 * The statement reads as of its start, so `free` drops a thread that another question changed
 * between then and the lock. `s` drops questions that a budget refuses. `claim` is the request's idempotency key with the reply; without it,
 * nothing is written.
 */
const startSql = (thread: string): string => `
  WITH asked AS (
    SELECT *
    FROM unnest(
      $3::text[], $4::int[], $5::int[], $6::text[], $7::uuid[], $8::text[], $9::text[], $10::text[],
      $11::boolean[], $12::text[], $13::text[], $14::text[], $15::int[], $16::int[], $17::bigint[],
      $18::bigint[], $19::boolean[]
    ) AS asked(
      key, workspace_id, user_id, slug, generation_id, question, attachments, mode, may_run, scope,
      time_zone, locale, history_limit, key_id, tokens, micros, is_free
    )
  ),
  place AS (
    SELECT asked.generation_id, thread.id, thread.ctid AS version, thread.chat_provider,
      thread.chat_model
    FROM asked
    JOIN thread ON ${thread}
    FOR NO KEY UPDATE OF thread SKIP LOCKED
  ),
  free AS (
    SELECT place.generation_id, place.id, place.chat_provider, place.chat_model
    FROM place
    JOIN thread ON thread.id = place.id AND thread.ctid = place.version
  ),
  s AS (
    SELECT asked.*, free.id AS thread_id, free.chat_provider, free.chat_model,
      nextval(pg_get_serial_sequence('turn', 'id'))::int AS turn_id,
      may_run
        AND NOT EXISTS (
          SELECT 1 FROM generation WHERE thread_id = free.id AND state IN ('queued', 'running')
        ) AS running
    FROM free
    JOIN asked USING (generation_id)
    WHERE CASE
      WHEN tokens = 0 AND free.chat_provider IS NULL THEN true
      WHEN (SELECT EXISTS (SELECT 1 FROM budget)) THEN
        admit_question(
          generation_id, workspace_id, user_id, key_id, tokens, micros,
          is_free AND free.chat_provider IS NULL
        ) IS NULL
      ELSE true
    END
  ),
  claim AS (
    INSERT INTO request_result (key, result)
    SELECT key,
      jsonb_build_object(
        'value', jsonb_build_object(
          'generationId', generation_id::text, 'chatId', turn_id, 'queued', NOT running,
          'frames', jsonb_build_array()
        )
      )
    FROM s
    ON CONFLICT (key) DO NOTHING
    RETURNING key
  ),
  c AS (SELECT s.* FROM s JOIN claim USING (key)),
  touched AS (UPDATE thread SET last_updated_at = now() FROM c WHERE thread.id = c.thread_id),
  old AS (
    SELECT question.ctid FROM question
    JOIN (SELECT DISTINCT user_id FROM c) askers ON askers.user_id = question.user_id
    WHERE asked_at <= now() - interval '24 hours'
    FOR UPDATE OF question SKIP LOCKED
  ),
  gone AS (DELETE FROM question USING old WHERE question.ctid = old.ctid),
  counted AS (INSERT INTO question (user_id) SELECT user_id FROM c WHERE user_id IS NOT NULL),
  t AS (
    INSERT INTO turn (
      id, thread_id, workspace_id, user_id, question, attachments, mode, state, parent_id
    )
    SELECT c.turn_id, c.thread_id, c.workspace_id, c.user_id, c.question, c.attachments::json,
      coalesce(c.mode, 'chat'), CASE WHEN c.running THEN 'running' ELSE 'queued' END,
      (
        SELECT b.id FROM turn b
        WHERE b.thread_id = c.thread_id AND b.user_id IS NOT DISTINCT FROM c.user_id AND b.active
        ORDER BY b.id DESC LIMIT 1
      )
    FROM c
    RETURNING id
  ),
  g AS (
    INSERT INTO generation (
      id, turn_id, thread_id, workspace_id, user_id, state, scope, requested_mode, time_zone,
      locale, lease_owner, lease_expires_at, started_at
    )
    SELECT c.generation_id, t.id, c.thread_id, c.workspace_id, c.user_id,
      CASE WHEN c.running THEN 'running' ELSE 'queued' END, c.scope::jsonb, c.mode, c.time_zone,
      c.locale, CASE WHEN c.running THEN $1::text END,
      CASE WHEN c.running THEN now() + make_interval(secs => $2::float8) END,
      CASE WHEN c.running THEN now() END
    FROM c
    JOIN t ON t.id = c.turn_id
    RETURNING id
  )
  SELECT c.generation_id, c.thread_id, c.turn_id, c.running, c.chat_provider, c.chat_model,
    CASE
      WHEN c.running THEN (
        SELECT coalesce(
          json_agg(
            json_build_object(
              'question', question, 'answer', answer, 'attachments', attachments
            ) ORDER BY id
          ),
          '[]'
        )
        FROM (
          SELECT id, question, answer, attachments
          FROM turn
          WHERE thread_id = c.thread_id
            AND workspace_id = c.workspace_id
            AND user_id IS NOT DISTINCT FROM c.user_id
            AND ${visibleTurn("turn")}
          ORDER BY id DESC LIMIT c.history_limit
        ) recent
      )
    END AS history
  FROM c
  JOIN g ON g.id = c.generation_id`;

const startInThread = startSql(threadBySlug);
const startInDefaultThread = startSql(defaultThread);

/** Starts generations in the default case: one more question in an existing thread. */
@Injectable()
export class GenerationStartRepository {
  private readonly inThreads = this.batch("start in thread", startInThread);
  private readonly inDefaultThreads = this.batch("start in default thread", startInDefaultThread);

  constructor(
    private readonly dataSource: DataSource,
    private readonly replica: Replica,
  ) {}

  /**
   * Writes the request's result, the question, its turn and its generation, and reads the history,
   * in one statement with other questions asked at about the same time. Returns before the commit
   * is durable. Returns null, having written nothing, if the request is a duplicate, the thread is
   * missing, a budget is used up, or another transaction is changing the thread.
   *
   * @param mayRun whether this replica has a free slot; otherwise the question is queued
   */
  async start(
    ctx: RequestContext,
    asked: NewQuestion,
    { mayRun, historyLimit }: { mayRun: boolean; historyLimit: number },
  ): Promise<StartedGeneration | null> {
    if (asked.threadSlug !== null && hasNullCharacter(asked.threadSlug)) return null;
    const id = randomUUID();
    const batches = asked.threadSlug === null ? this.inDefaultThreads : this.inThreads;
    const row = await batches.add({
      key: resultKey(ctx),
      generationId: id,
      asked,
      mayRun,
      historyLimit,
    });
    if (row === null) return null;
    return {
      generation: {
        id,
        turnId: row.turn_id,
        threadId: row.thread_id,
        scope: asked.scope,
        requestedMode: asked.requestedMode,
        modelChoice: readThreadModelChoice(row),
        question: asked.question,
        attachments: asked.attachments,
        timeZone: asked.timeZone,
        locale: asked.locale,
        notices: [],
        search: null,
        fullTexts: null,
        history: row.history,
      },
      isRunning: row.running,
      committed: row.committed,
    };
  }

  private batch(name: string, sql: string): StatementBatches<AskedRow, Written> {
    return new StatementBatches<AskedRow, Written>({
      // One question per thread: the statement doesn't see its own.
      keyOf: ({ asked: { scope, threadSlug } }) =>
        `${scope.workspace.id} ${threadSlug ?? scope.principal.userId}`,
      run: async (rows) => {
        const { rows: started, committed } = await retryDeadlock(() => this.write(name, sql, rows));
        const byId = new Map(started.map((row) => [row.generation_id, row]));
        return {
          outputs: rows.map(({ generationId }) => {
            const row = byId.get(generationId);
            return row === undefined ? null : { ...row, committed };
          }),
          finished: committed,
        };
      },
    });
  }

  private write(
    name: string,
    sql: string,
    rows: readonly AskedRow[],
  ): Promise<EarlyRows<StartedRow>> {
    const column = <T>(read: (asked: NewQuestion, row: AskedRow) => T): T[] =>
      rows.map((row) => read(row.asked, row));
    return queryEarlyRows<StartedRow>(this.dataSource, name, sql, [
      this.replica.id,
      leaseSeconds,
      column((_, { key }) => key),
      column(({ scope }) => scope.workspace.id),
      column(({ scope }) => scope.principal.userId),
      column(({ threadSlug }) => threadSlug),
      column((_, { generationId }) => generationId),
      column(({ question }) => question),
      column(({ attachments }) => JSON.stringify(attachments)),
      column(({ requestedMode }) => requestedMode),
      column((_, { mayRun }) => mayRun),
      column(({ scope }) => JSON.stringify(scope)),
      column(({ timeZone }) => timeZone),
      column(({ locale }) => locale),
      column((_, { historyLimit }) => historyLimit),
      column(({ scope }) => developerKeyOf(scope.principal)),
      column(({ estimate }) => estimate.tokens),
      column(({ estimate }) => estimate.micros),
      column(({ estimate }) => estimate.isFree),
    ]);
  }
}
