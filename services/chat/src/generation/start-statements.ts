import { visibleTurn } from "../database/visible-turn.ts";
import { conversationKey } from "../thread/conversation.ts";
import { defaultThreadName } from "../thread/thread.entity.ts";

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

/** Creates missing threads; those of a lost race are dropped before anything depends on them. */
const newThreads = {
  candidates: `
    UNION ALL
    SELECT generation_id, nextval(pg_get_serial_sequence('thread', 'id'))::int, NULL, NULL, NULL, true
    FROM asked
    WHERE NOT EXISTS (SELECT 1 FROM thread WHERE ${conversationThread})`,
  create: `created AS (
    INSERT INTO thread (id, workspace_id, user_id, name, channel, session_id, widget_id)
    SELECT thread_id, workspace_id, user_id, '${defaultThreadName}', channel, session_id, widget_id
    FROM s
    WHERE is_new
    ON CONFLICT ${conversationKey} DO NOTHING
    RETURNING id
  ),
  `,
  existing: "WHERE NOT is_new OR thread_id IN (SELECT id FROM created)",
};

/**
 * `place` locks the threads like `ThreadRepository.lock`, unless another transaction holds the lock.
 * The statement reads as of its start, so `free` drops a thread that another question changed
 * between then and the lock. `s` drops questions that a budget refuses. `claim` is
 * the request's idempotency key with the reply; without it, nothing but the thread is written.
 */
const startSql = (
  thread: string,
  added: typeof newThreads = { candidates: "", create: "", existing: "" },
): string => `
  WITH asked AS (
    SELECT *
    FROM unnest(
      $3::text[], $4::int[], $5::int[], $6::text[], $7::uuid[], $8::text[], $9::text[], $10::text[],
      $11::boolean[], $12::text[], $13::text[], $14::text[], $15::int[], $16::int[], $17::bigint[],
      $18::bigint[], $19::boolean[], $20::text[], $21::text[], $22::text[], $23::int[]
    ) AS asked(
      key, workspace_id, user_id, slug, generation_id, question, attachments, mode, may_run, scope,
      time_zone, locale, history_limit, key_id, tokens, micros, is_free, overrides, channel,
      session_id, widget_id
    )
  ),
  place AS (
    SELECT asked.generation_id, thread.id, thread.ctid AS version, thread.chat_provider,
      thread.chat_model, thread.answer_parameters
    FROM asked
    JOIN thread ON ${thread}
    FOR NO KEY UPDATE OF thread SKIP LOCKED
  ),
  free AS (
    SELECT place.generation_id, place.id, place.chat_provider, place.chat_model,
      place.answer_parameters, false AS is_new
    FROM place
    JOIN thread ON thread.id = place.id AND thread.ctid = place.version${added.candidates}
  ),
  s AS (
    SELECT asked.*, free.id AS thread_id, free.chat_provider, free.chat_model,
      free.answer_parameters, free.is_new,
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
  ${added.create}claim AS (
    INSERT INTO request_result (key, result)
    SELECT key,
      jsonb_build_object(
        'value', jsonb_build_object(
          'generationId', generation_id::text, 'chatId', turn_id, 'queued', NOT running,
          'frames', jsonb_build_array()
        )
      )
    FROM s
    ${added.existing}
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
      id, thread_id, workspace_id, user_id, question, attachments, mentions, mode, state, parent_id
    )
    SELECT c.turn_id, c.thread_id, c.workspace_id, c.user_id, c.question, c.attachments::json,
      coalesce(c.overrides::jsonb->'mentions', '[]'), coalesce(c.mode, 'chat'), CASE WHEN c.running THEN 'running' ELSE 'queued' END,
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
      locale, overrides, lease_owner, lease_expires_at, started_at
    )
    SELECT c.generation_id, t.id, c.thread_id, c.workspace_id, c.user_id,
      CASE WHEN c.running THEN 'running' ELSE 'queued' END, c.scope::jsonb, c.mode, c.time_zone,
      c.locale, c.overrides::jsonb, CASE WHEN c.running THEN $1::text END,
      CASE WHEN c.running THEN now() + make_interval(secs => $2::float8) END,
      CASE WHEN c.running THEN now() END
    FROM c
    JOIN t ON t.id = c.turn_id
    RETURNING id
  )
  SELECT c.generation_id, c.thread_id, c.turn_id, c.running, c.chat_provider, c.chat_model,
    c.answer_parameters,
    CASE
      WHEN c.running THEN (
        SELECT coalesce(
          json_agg(
            json_build_object(
              'question', question, 'answer', answer, 'reasoning', reasoning,
              'attachments', attachments
            ) ORDER BY id
          ),
          '[]'
        )
        FROM (
          SELECT id, question, answer, reasoning, attachments
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

export const startInThread = startSql(threadBySlug);
export const startInDefaultThread = startSql(defaultThread);
export const startInConversation = startSql(conversationThread, newThreads);
