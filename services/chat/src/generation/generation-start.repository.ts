import { randomUUID } from "node:crypto";
import {
  type AnswerOverrides,
  type BudgetPeriod,
  type Conversation,
  developerKeyOf,
  type ThreadParameters,
  type WorkspaceScope,
} from "@carrel/contracts";
import { StatementBatches, preparedQuery, queryEarlyRows } from "@carrel/database";
import { resultKey, type RequestContext } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import { DataSource, type EntityManager } from "typeorm";
import type { QuestionEstimate } from "../budget/question-estimate.ts";
import { retryDeadlock } from "../database/in-transaction.ts";
import { hasNullCharacter, stripNullCharacters } from "../database/null-character.ts";
import { visibleTurn } from "../database/visible-turn.ts";
import { readThreadModelChoice } from "../model/language-models.ts";
import { Replica, leaseSeconds } from "../replica/replica.ts";
import { defaultThreadName } from "../thread/thread.entity.ts";
import { conversationKey, conversationValues } from "../thread/thread.repository.ts";
import type { Attachment } from "../turn/turn.entity.ts";
import { toHistory, type StoredHistoryTurn } from "../turn/turn.repository.ts";
import type { RunnableGeneration } from "./generation.repository.ts";

export interface NewQuestion {
  /** Default: a new one. */
  generationId?: string;
  scope: WorkspaceScope;
  threadSlug: string | null;
  /** Replaces `threadSlug`. */
  conversation: Conversation | null;
  question: string;
  /** What called the agent before it, as typed; otherwise empty. */
  agentCall: string;
  attachments: Attachment[];
  /** The turn that this question edits or retries. */
  replaces: number | null;
  /** Steps of that turn before this one are kept. */
  fromStep: number | null;
  requestedMode: RunnableGeneration["requestedMode"];
  overrides: AnswerOverrides | null;
  timeZone: string | null;
  locale: string | null;
  estimate: QuestionEstimate;
  /** Whether this replica has a free slot; otherwise the question is queued. */
  mayRun: boolean;
  /** Number of turns to read; null: none yet. */
  historyLimit: number | null;
}
export interface StartedGeneration {
  generation: RunnableGeneration;
  isRunning: boolean;
}
/** The columns of `asked`. */
type AskedRow = Record<string, unknown> & { generation_id: string };
interface Asked {
  question: NewQuestion;
  row: AskedRow;
}
type StartedRow = { generation_id: string } & (
  | { refusal: BudgetPeriod }
  | {
      refusal: null;
      thread_id: number;
      turn_id: number;
      running: boolean;
      chat_provider: string | null;
      chat_model: string | null;
      answer_parameters: ThreadParameters | null;
      history: StoredHistoryTurn[] | null;
    }
);
type Admitted = Extract<StartedRow, { refusal: null }>;
type Written = { row: StartedRow; committed: Promise<void> } | null;

const threadBySlug = `thread.workspace_id = asked.workspace_id
    AND (thread.user_id = asked.user_id OR thread.user_id IS NULL)
    AND thread.slug = asked.slug
    AND thread.deleted_at IS NULL`;
const defaultThread = `thread.workspace_id = asked.workspace_id
    AND coalesce(thread.user_id, 0) = coalesce(asked.user_id, 0)
    AND thread.slug IS NULL
    AND thread.channel IS NULL`;
const conversationThread = `thread.workspace_id = asked.workspace_id
    AND thread.channel = asked.channel
    AND coalesce(thread.widget_id, 0) = coalesce(asked.widget_id, 0)
    AND thread.session_id = asked.session_id`;

/** Creates missing threads; the losers of a race are dropped before anything depends on them. */
const newThreads = {
  candidates: `
    UNION ALL
    SELECT generation_id, nextval(pg_get_serial_sequence('thread', 'id'))::int, NULL, NULL, NULL, true
    FROM asked
    WHERE NOT EXISTS (SELECT 1 FROM chat.thread WHERE ${conversationThread})`,
  create: `created AS (
    INSERT INTO chat.thread (id, workspace_id, user_id, name, channel, session_id, widget_id)
    SELECT thread_id, workspace_id, user_id, '${defaultThreadName}', channel, session_id, widget_id
    FROM decided
    WHERE is_new AND refusal IS NULL
    ON CONFLICT ${conversationKey} DO NOTHING
    RETURNING id
  ),
  `,
  existing: " AND (NOT is_new OR thread_id IN (SELECT id FROM created))",
};

/**
 * `place` locks the threads like `ThreadRepository.lock`, unless another transaction holds the lock.
 * The statement reads as of its start, so `free` drops a thread that another question changed
 * between then and the lock. `refusal` is the period of a budget that is used up. `claim` is the
 * request's idempotency key with the reply; without it, nothing but the thread is written.
 */
const startSql = (
  thread: string,
  added: typeof newThreads = { candidates: "", create: "", existing: "" },
): string => `
  WITH asked AS (
    SELECT *
    FROM json_to_recordset($3::json) AS asked(
      key text, workspace_id int, user_id int, key_id int, slug text, channel text,
      session_id text, widget_id int, generation_id uuid, question text, agent_call text,
      attachments json, mode text, overrides jsonb, has_model boolean, scope jsonb, time_zone text, locale text,
      is_version boolean, parent_id int, may_run boolean, history_limit int, tokens bigint,
      micros bigint, is_free boolean
    )
  ),
  place AS (
    SELECT asked.generation_id, thread.id, thread.ctid AS version, thread.chat_provider,
      thread.chat_model, thread.answer_parameters
    FROM asked
    JOIN chat.thread ON ${thread}
    FOR NO KEY UPDATE OF thread SKIP LOCKED
  ),
  free AS (
    SELECT place.generation_id, place.id, place.chat_provider, place.chat_model,
      place.answer_parameters, false AS is_new
    FROM place
    JOIN chat.thread ON thread.id = place.id AND thread.ctid = place.version${added.candidates}
  ),
  decided AS (
    SELECT asked.*, free.id AS thread_id, free.chat_provider, free.chat_model,
      free.answer_parameters, free.is_new,
      nextval(pg_get_serial_sequence('turn', 'id'))::int AS turn_id,
      may_run
        AND NOT EXISTS (
          SELECT 1 FROM chat.generation WHERE thread_id = free.id AND state IN ('queued', 'running')
        ) AS running,
      CASE
        WHEN tokens = 0 AND NOT has_model AND free.chat_provider IS NULL THEN NULL
        WHEN (SELECT EXISTS (SELECT 1 FROM chat.budget)) THEN
          admit_question(
            generation_id, workspace_id, user_id, key_id, tokens, micros,
            is_free AND NOT has_model AND free.chat_provider IS NULL
          )
      END AS refusal
    FROM free
    JOIN asked USING (generation_id)
  ),
  ${added.create}claim AS (
    INSERT INTO request_result (key, result)
    SELECT key,
      jsonb_build_object(
        'value', jsonb_build_object(
          'generationId', generation_id::text, 'chatId', turn_id, 'queued', NOT running,
          'frames', jsonb_build_array()
        )
      )
    FROM decided
    WHERE key IS NOT NULL AND refusal IS NULL${added.existing}
    ON CONFLICT (key) DO NOTHING
    RETURNING key
  ),
  accepted AS (
    SELECT * FROM decided
    WHERE refusal IS NULL AND (key IS NULL OR key IN (SELECT claim.key FROM claim))
  ),
  touched AS (UPDATE chat.thread SET last_updated_at = now() FROM accepted WHERE thread.id = accepted.thread_id),
  old AS (
    SELECT question.ctid FROM chat.question
    JOIN (SELECT DISTINCT user_id FROM accepted) askers ON askers.user_id = question.user_id
    WHERE asked_at <= now() - interval '24 hours'
    FOR UPDATE OF question SKIP LOCKED
  ),
  gone AS (DELETE FROM chat.question USING old WHERE question.ctid = old.ctid),
  counted AS (INSERT INTO chat.question (user_id) SELECT user_id FROM accepted WHERE user_id IS NOT NULL),
  new_turn AS (
    INSERT INTO chat.turn (
      id, thread_id, workspace_id, user_id, question, agent_call, attachments, mentions, choices,
      mode, state, parent_id
    )
    SELECT accepted.turn_id, accepted.thread_id, accepted.workspace_id, accepted.user_id, accepted.question,
      accepted.agent_call, accepted.attachments, coalesce(accepted.overrides->'mentions', '[]'), nullif(jsonb_build_object(
        'places', accepted.overrides->'places', 'modelChoice', accepted.overrides->'modelChoice'
      ), '{"places": null, "modelChoice": null}'), coalesce(accepted.mode, 'chat'),
      CASE WHEN accepted.running THEN 'running' ELSE 'queued' END,
      CASE
        WHEN accepted.is_version THEN accepted.parent_id
        ELSE (
          SELECT b.id FROM chat.turn b
          WHERE b.thread_id = accepted.thread_id AND b.user_id IS NOT DISTINCT FROM accepted.user_id AND b.active
          ORDER BY b.id DESC LIMIT 1
        )
      END
    FROM accepted
    RETURNING id
  ),
  new_generation AS (
    INSERT INTO chat.generation (
      id, turn_id, thread_id, workspace_id, user_id, state, scope, requested_mode, time_zone,
      locale, overrides, lease_owner, lease_expires_at, started_at
    )
    SELECT accepted.generation_id, new_turn.id, accepted.thread_id, accepted.workspace_id, accepted.user_id,
      CASE WHEN accepted.running THEN 'running' ELSE 'queued' END, accepted.scope, accepted.mode, accepted.time_zone,
      accepted.locale, accepted.overrides, CASE WHEN accepted.running THEN $1::text END,
      CASE WHEN accepted.running THEN now() + make_interval(secs => $2::float8) END,
      CASE WHEN accepted.running THEN now() END
    FROM accepted
    JOIN new_turn ON new_turn.id = accepted.turn_id
    RETURNING id
  )
  SELECT decided.generation_id, decided.refusal, decided.thread_id, decided.turn_id, decided.running, decided.chat_provider,
    decided.chat_model, decided.answer_parameters,
    CASE
      WHEN new_generation.id IS NOT NULL AND decided.running AND decided.history_limit IS NOT NULL THEN (
        SELECT coalesce(json_agg(recent ORDER BY id), '[]')
        FROM (
          SELECT id, question, answer, reasoning, attachments,
            read_untrusted AS "hasReadUntrusted", read_private AS "hasReadPrivate"
          FROM chat.turn
          WHERE thread_id = decided.thread_id
            AND workspace_id = decided.workspace_id
            AND user_id IS NOT DISTINCT FROM decided.user_id
            AND ${visibleTurn("turn")}
          ORDER BY id DESC LIMIT decided.history_limit
        ) recent
      )
    END AS history
  FROM decided
  LEFT JOIN new_generation ON new_generation.id = decided.generation_id
  WHERE new_generation.id IS NOT NULL OR decided.refusal IS NOT NULL`;

const statements = {
  thread: ["start in thread", startSql(threadBySlug)],
  defaultThread: ["start in default thread", startSql(defaultThread)],
  conversation: ["start in conversation", startSql(conversationThread, newThreads)],
} as const;
type Place = keyof typeof statements;
const placeOf = ({ threadSlug, conversation }: NewQuestion): Place =>
  conversation !== null ? "conversation" : threadSlug === null ? "defaultThread" : "thread";

/** Starts generations: writes the question, its turn and its generation, and reads the history. */
@Injectable()
export class GenerationStartRepository {
  private readonly batches: Record<Place, StatementBatches<Asked, Written>> = {
    thread: this.batch("thread"),
    defaultThread: this.batch("defaultThread"),
    conversation: this.batch("conversation"),
  };

  constructor(
    private readonly dataSource: DataSource,
    private readonly replica: Replica,
  ) {}

  /**
   * Starts one more question in an existing thread, or any in a conversation outside the app, under
   * its request's key, in one statement with others asked at about the same time. Returns before
   * the commit is durable. Returns null, having written nothing, if the request is a duplicate, the
   * thread is missing, a budget is used up, or another transaction is changing the thread.
   */
  async start(
    ctx: RequestContext,
    question: NewQuestion,
  ): Promise<(StartedGeneration & { committed: Promise<void> }) | null> {
    if (question.threadSlug !== null && hasNullCharacter(question.threadSlug)) return null;
    const row = toRow(question, { key: resultKey(ctx) });
    const written = await this.batches[placeOf(question)].add({ question, row });
    if (written === null || written.row.refusal !== null) return null;
    return { ...toStarted(question, written.row), committed: written.committed };
  }

  /**
   * Starts a question in a transaction that has claimed its request's key and locked its thread.
   * Returns the period of a budget that is used up instead, having written nothing.
   * @param version the turn whose children get a new version; null: it follows the newest turn
   */
  async startLocked(
    manager: EntityManager,
    question: NewQuestion,
    version: { parentId: number | null } | null,
  ): Promise<StartedGeneration | BudgetPeriod> {
    const [name, sql] = statements[placeOf(question)];
    const values = this.valuesOf([toRow(question, { key: null, version })]);
    const [row] = await preparedQuery<StartedRow>(manager.queryRunner!, name, sql, values);
    if (row === undefined) throw new Error("the thread of a question isn't locked");
    return row.refusal === null ? toStarted(question, row) : row.refusal;
  }

  private batch(place: Place): StatementBatches<Asked, Written> {
    const [name, sql] = statements[place];
    return new StatementBatches<Asked, Written>({
      // One question per thread: the statement doesn't see its own inserts.
      keyOf: ({ question: { scope, threadSlug, conversation } }) =>
        conversation === null
          ? `${scope.workspace.id} ${threadSlug ?? scope.principal.userId}`
          : JSON.stringify([scope.workspace.id, ...conversationValues(conversation)]),
      run: async (asked) => {
        const { rows, committed } = await retryDeadlock(() =>
          queryEarlyRows<StartedRow>(
            this.dataSource,
            name,
            sql,
            this.valuesOf(asked.map(({ row }) => row)),
          ),
        );
        const byId = new Map(rows.map((row) => [row.generation_id, row]));
        return {
          outputs: asked.map(({ row: { generation_id: id } }) => {
            const row = byId.get(id);
            return row === undefined ? null : { row, committed };
          }),
          finished: committed,
        };
      },
    });
  }

  private valuesOf(rows: readonly AskedRow[]): unknown[] {
    // PostgreSQL reads neither U+0000 nor half a surrogate pair from JSON.
    const json = JSON.stringify(rows, (_, value: unknown) =>
      typeof value === "string" ? stripNullCharacters(value).toWellFormed() : value,
    );
    return [this.replica.id, leaseSeconds, json];
  }
}

function toRow(
  question: NewQuestion,
  { key, version = null }: { key: string | null; version?: { parentId: number | null } | null },
): AskedRow {
  const { scope, overrides, estimate } = question;
  const [channel, sessionId, widgetId] = conversationValues(question.conversation);
  return {
    key,
    workspace_id: scope.workspace.id,
    user_id: scope.principal.userId,
    key_id: developerKeyOf(scope.principal),
    slug: question.threadSlug,
    channel,
    session_id: sessionId,
    widget_id: widgetId,
    generation_id: question.generationId ?? randomUUID(),
    question: question.question,
    agent_call: question.agentCall,
    attachments: question.attachments,
    mode: question.requestedMode,
    overrides,
    // The question may use another model than the estimated one, and so may its thread.
    has_model: overrides?.modelChoice != null,
    scope,
    time_zone: question.timeZone,
    locale: question.locale,
    is_version: version !== null,
    parent_id: version?.parentId ?? null,
    may_run: question.mayRun,
    history_limit: question.historyLimit,
    tokens: estimate.tokens,
    micros: estimate.micros,
    is_free: estimate.isFree,
  };
}

function toStarted(question: NewQuestion, row: Admitted): StartedGeneration {
  const { scope, overrides, requestedMode, attachments, timeZone, locale } = question;
  return {
    generation: {
      id: row.generation_id,
      turnId: row.turn_id,
      threadId: row.thread_id,
      channel: question.conversation?.channel ?? null,
      scope,
      overrides,
      requestedMode,
      modelChoice: readThreadModelChoice(row),
      parameters: row.answer_parameters,
      question: question.question,
      attachments,
      timeZone,
      locale,
      notices: [],
      search: null,
      fullTexts: null,
      history: row.history?.map(toHistory) ?? null,
      isResumed: question.fromStep !== null,
    },
    isRunning: row.running,
  };
}
