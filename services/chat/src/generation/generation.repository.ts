import { Injectable } from "@nestjs/common";
import type { MetricsWire, Scope, SourceWire, WorkspaceScope } from "@carrel/contracts";
import { DataSource, type EntityManager } from "typeorm";
import { stripNullCharacters } from "../database/null-character.ts";
import { queryRows } from "../database/query-rows.ts";
import { defaultThreadName } from "../thread/thread.entity.ts";
import type { Attachment, TurnState } from "../turn/turn.entity.ts";
import type { HistoryTurn } from "../prompt/build-prompt.ts";
import type { GenerationState } from "./generation.entity.ts";
import type { FoundPassages } from "../retrieval/search-question.ts";

/** Everything a replica needs to run a generation, whoever started it. */
export interface RunnableGeneration {
  id: string;
  turnId: number;
  threadId: number;
  scope: WorkspaceScope;
  requestedMode: "chat" | "query" | null;
  question: string;
  attachments: Attachment[];
  /** For dates in prompts, as the client told them. */ timeZone: string | null;
  locale: string | null;
  /** Begun while the turn was written; null when it waited in the queue or is a follow-up. */
  search: Promise<FoundPassages> | null;
}

/** How a generation ended, for its row, its turn and its thread. */
export interface Ending {
  id: string;
  state: Extract<GenerationState, "done" | "failed" | "cancelled">;
  answer: string;
  notices: string[];
  sources: SourceWire[];
  metrics: MetricsWire | null;
  error: string | null;
  refused: boolean;
  mode: "chat" | "query";
  provider: string | null;
  model: string | null;
  /** For the thread's first message. */ threadName: string | null;
}

/** One whose lease has lapsed. */
export interface LapsedGeneration {
  id: string;
  state: GenerationState;
}

/** A generation as its owner sees it when attaching. */
export interface AttachedGeneration {
  id: string;
  turnId: number;
  state: TurnState;
  finishedAt: Date | null;
  answer: string;
  notices: string[];
  sources: SourceWire[];
  metrics: MetricsWire | null;
  error: string | null;
  refused: boolean;
}

interface RunnableRow {
  id: string;
  turn_id: number;
  thread_id: number;
  scope: WorkspaceScope;
  requested_mode: "chat" | "query" | null;
  time_zone: string | null;
  locale: string | null;
  question: string;
  attachments: Attachment[];
}

const runnable = (row: RunnableRow): RunnableGeneration => ({
  id: row.id,
  turnId: row.turn_id,
  threadId: row.thread_id,
  scope: row.scope,
  requestedMode: row.requested_mode,
  question: row.question,
  attachments: row.attachments,
  timeZone: row.time_zone,
  locale: row.locale,
  search: null,
});

/**
 * Turns that existing clients and the next prompt see, of the path that is shown: finished ones,
 * and of stopped or broken ones those with text.
 */
export const visibleTurn = (table: string): string =>
  `(${table}.active AND NOT ${table}.hidden AND NOT ${table}.refused AND (${table}.state = 'done' OR (${table}.state IN ('failed', 'cancelled') AND ${table}.answer <> '')))`;

@Injectable()
export class GenerationRepository {
  private readonly dataSource: DataSource;
  constructor(dataSource: DataSource) {
    this.dataSource = dataSource;
  }

  /**
   * The thread's id, its row locked until the transaction ends, so that starts in one thread come
   * one after the other.
   * The default thread (slug null) is made when it is missing. null: no such thread, or
   * one in which the caller may not ask (`ThreadRepository.find`).
   */
  async lockThread(
    manager: EntityManager,
    scope: WorkspaceScope,
    slug: string | null,
  ): Promise<number | null> {
    const owner = [scope.workspace.id, scope.principal.userId];
    const rows =
      slug === null
        ? await queryRows<{ id: number }>(
            manager,
            `INSERT INTO thread (workspace_id, user_id, name) VALUES ($1, $2, $3)
          ON CONFLICT (workspace_id, (coalesce(user_id, 0))) WHERE slug IS NULL DO UPDATE SET last_updated_at = now() RETURNING id`,
            [...owner, defaultThreadName],
          )
        : await queryRows<{ id: number }>(
            manager,
            `UPDATE thread SET last_updated_at = now() WHERE workspace_id = $1 AND (user_id = $2 OR user_id IS NULL) AND slug = $3 AND deleted_at IS NULL RETURNING id`,
            [...owner, slug],
          );
    return rows[0]?.id ?? null;
  }

  /**
   * The pending turn and its generation in one statement: running with our lease when the thread is
   * free and `mayRun`, else
   * queued. `parentId` undefined: after the newest turn of the path that is shown.
   */
  async insertPending(
    manager: EntityManager,
    o: {
      id: string;
      threadId: number;
      scope: WorkspaceScope;
      question: string;
      attachments: Attachment[];
      requestedMode: "chat" | "query" | null;
      timeZone: string | null;
      locale: string | null;
      owner: string;
      mayRun: boolean;
      leaseSeconds: number;
      parentId?: number | null | undefined;
    },
  ): Promise<{ turnId: number; running: boolean }> {
    const rows = await queryRows<{ turn_id: number; running: boolean }>(
      manager,
      `
      WITH s AS (SELECT ($9::boolean AND NOT EXISTS (SELECT 1 FROM generation WHERE thread_id = $2::int AND state IN ('queued', 'running'))) AS running),
      t AS (INSERT INTO turn (thread_id, workspace_id, user_id, question, attachments, mode, state, parent_id)
        SELECT $2::int, $3::int, $4::int, $5::text, $6::json, coalesce($7::text, 'chat'), CASE WHEN s.running THEN 'running' ELSE 'queued' END,
          CASE WHEN $12::boolean THEN $13::int ELSE (SELECT b.id FROM turn b WHERE b.thread_id = $2::int AND b.user_id IS NOT DISTINCT FROM $4::int AND b.active ORDER BY b.id DESC LIMIT 1) END FROM s RETURNING id)
      INSERT INTO generation (id, turn_id, thread_id, workspace_id, user_id, state, scope, requested_mode, time_zone, locale, lease_owner, lease_expires_at, started_at)
        SELECT $1::uuid, t.id, $2::int, $3::int, $4::int, CASE WHEN s.running THEN 'running' ELSE 'queued' END, $8::jsonb, $7::text, $14::text, $15::text,
          CASE WHEN s.running THEN $10::text END, CASE WHEN s.running THEN now() + make_interval(secs => $11::float8) END, CASE WHEN s.running THEN now() END
        FROM s, t RETURNING turn_id, state = 'running' AS running`,
      [
        o.id,
        o.threadId,
        o.scope.workspace.id,
        o.scope.principal.userId,
        o.question,
        JSON.stringify(o.attachments),
        o.requestedMode,
        JSON.stringify(o.scope),
        o.mayRun,
        o.owner,
        o.leaseSeconds,
        o.parentId !== undefined,
        o.parentId ?? null,
        o.timeZone,
        o.locale,
      ],
    );
    return { turnId: rows[0]!.turn_id, running: rows[0]!.running };
  }

  /** What came with a turn of the thread. */
  async findAttachments(
    manager: EntityManager,
    threadId: number,
    turnId: number,
  ): Promise<Attachment[]> {
    const rows = await queryRows<{ attachments: Attachment[] }>(
      manager,
      "SELECT attachments FROM turn WHERE id = $1 AND thread_id = $2",
      [turnId, threadId],
    );
    return rows[0]?.attachments ?? [];
  }

  /**
   * Takes up to `limit` queued generations whose thread is free, the oldest of each thread.
   * Replicas may ask at once.
   */
  async claimQueued(
    owner: string,
    limit: number,
    leaseSeconds: number,
  ): Promise<RunnableGeneration[]> {
    const rows = await queryRows<RunnableRow>(
      this.dataSource,
      `
      WITH picked AS (
        SELECT q.id FROM generation q WHERE q.state = 'queued' AND NOT EXISTS (
          SELECT 1 FROM generation r WHERE r.thread_id = q.thread_id AND (r.state = 'running' OR (r.state = 'queued' AND r.position < q.position)))
        ORDER BY q.position LIMIT $2 FOR UPDATE OF q SKIP LOCKED),
      g AS (UPDATE generation SET state = 'running', lease_owner = $1, lease_expires_at = now() + make_interval(secs => $3), started_at = now()
        FROM picked WHERE generation.id = picked.id RETURNING generation.*),
      t AS (UPDATE turn SET state = 'running' FROM g WHERE turn.id = g.turn_id RETURNING turn.id, turn.question, turn.attachments)
      SELECT g.id, g.turn_id, g.thread_id, g.scope, g.requested_mode, g.time_zone, g.locale, t.question, t.attachments FROM g JOIN t ON t.id = g.turn_id ORDER BY g.position`,
      [owner, limit, leaseSeconds],
    );
    return rows.map(runnable);
  }

  /** Gives a claim back; it keeps its place in the queue. */
  async putBack(owner: string, id: string): Promise<void> {
    await this.dataSource.query(
      `
      WITH g AS (UPDATE generation SET state = 'queued', lease_owner = NULL, lease_expires_at = NULL, started_at = NULL WHERE id = $1 AND lease_owner = $2 AND state = 'running' RETURNING turn_id)
      UPDATE turn SET state = 'queued' FROM g WHERE turn.id = g.turn_id`,
      [id, owner],
    );
  }

  /**
   * Renews the leases of `ids`; one that does not come back is no longer ours. Says too which were
   * asked to stop.
   */
  async renewLeases(
    owner: string,
    ids: string[],
    leaseSeconds: number,
  ): Promise<{ id: string; cancelRequested: boolean }[]> {
    const rows = await queryRows<{ id: string; cancel_requested: boolean }>(
      this.dataSource,
      `
      UPDATE generation SET lease_expires_at = now() + make_interval(secs => $3)
      WHERE id = ANY($2::uuid[]) AND lease_owner = $1 RETURNING id, cancel_requested`,
      [owner, ids, leaseSeconds],
    );
    return rows.map((row) => ({ id: row.id, cancelRequested: row.cancel_requested }));
  }

  /**
   * What is there so far of all running turns of this replica, in one statement; `sources` null: as
   * saved before.
   */
  async saveProgress(
    rows: {
      turnId: number;
      answer: string;
      notices: string[];
      mode: "chat" | "query";
      sources: SourceWire[] | null;
    }[],
  ): Promise<void> {
    // An array of arrays of different lengths is none to PostgreSQL: notices go as JSON.
    await this.dataSource.query(
      `UPDATE turn SET answer = v.answer, mode = v.mode, sources = coalesce(v.sources::json, turn.sources), notices = array(SELECT json_array_elements_text(v.notices::json))
      FROM unnest($1::int[], $2::text[], $3::text[], $4::text[], $5::text[]) AS v(id, answer, mode, sources, notices) WHERE turn.id = v.id AND turn.state = 'running'`,
      [
        rows.map((row) => row.turnId),
        rows.map((row) => row.answer),
        rows.map((row) => row.mode),
        rows.map((row) => (row.sources === null ? null : JSON.stringify(row.sources))),
        rows.map((row) => JSON.stringify(row.notices)),
      ],
    );
  }

  /**
   * Generation, turn and (for the first message) the thread's name in one statement, which is one
   * transaction. `owned`
   * false: the lease was lost, and nothing was written. The lease stays until the stream has its
   * end (`dropLeases`).
   */
  async finish(
    owner: string,
    ending: Ending,
  ): Promise<{ owned: boolean; renamed: { slug: string; name: string } | null }> {
    const rows = await queryRows<{ owned: boolean; slug: string | null; name: string | null }>(
      this.dataSource,
      `
      WITH g AS (UPDATE generation SET state = $3, finished_at = now(), provider = $11, model = $12
        WHERE id = $1 AND state = 'running' AND lease_owner = $2 RETURNING turn_id, thread_id),
      t AS (UPDATE turn SET state = $3, answer = $4, sources = $5, metrics = $6, error = $7, refused = $8, mode = $9, notices = $14
        FROM g WHERE turn.id = g.turn_id RETURNING turn.id, turn.thread_id),
      r AS (UPDATE thread SET name = $10, last_updated_at = now() FROM t
        WHERE $10::text IS NOT NULL AND thread.id = t.thread_id AND thread.slug IS NOT NULL AND thread.name = $13
          AND NOT EXISTS (SELECT 1 FROM turn x WHERE x.thread_id = t.thread_id AND x.id <> t.id AND ${visibleTurn("x")})
        RETURNING thread.slug, thread.name)
      SELECT true AS owned, r.slug, r.name FROM t LEFT JOIN r ON true`,
      [
        ending.id,
        owner,
        ending.state,
        ending.answer,
        JSON.stringify(ending.sources),
        ending.metrics === null ? null : JSON.stringify(ending.metrics),
        ending.error,
        ending.refused,
        ending.mode,
        ending.threadName,
        ending.provider,
        ending.model,
        defaultThreadName,
        ending.notices,
      ],
    );
    const row = rows[0];
    return {
      owned: row !== undefined,
      renamed: row?.slug == null || row.name === null ? null : { slug: row.slug, name: row.name },
    };
  }

  /** The stream of these has its end: nobody needs to look after them any more. */
  async dropLeases(owner: string, ids: string[]): Promise<void> {
    if (ids.length === 0) return;
    await this.dataSource.query(
      `UPDATE generation SET lease_owner = NULL, lease_expires_at = NULL WHERE id = ANY($2::uuid[]) AND lease_owner = $1 AND state NOT IN ('queued', 'running')`,
      [owner, ids],
    );
  }

  /** Gives these up: any replica takes them at once. */
  async lapse(owner: string, ids: string[]): Promise<void> {
    if (ids.length === 0) return;
    await this.dataSource.query(
      `UPDATE generation SET lease_owner = NULL, lease_expires_at = now() WHERE id = ANY($2::uuid[]) AND lease_owner = $1`,
      [owner, ids],
    );
  }

  /**
   * Takes over generations whose owner no longer renews its lease, the oldest first: those that
   * run, and those that ended
   * but whose stream may have no end. Those of `asker` itself, who is alive, wait half a minute
   * longer: in a rush its
   * renewals may be late.
   */
  async takeLapsed(asker: string, leaseSeconds: number): Promise<LapsedGeneration[]> {
    return queryRows<LapsedGeneration>(
      this.dataSource,
      `
      WITH lapsed AS (SELECT id FROM generation
        WHERE lease_expires_at IS NOT NULL AND lease_expires_at < now() - CASE WHEN lease_owner = $1 THEN interval '30 seconds' ELSE interval '0' END
        ORDER BY lease_expires_at LIMIT 1000 FOR UPDATE SKIP LOCKED)
      UPDATE generation SET lease_owner = $1, lease_expires_at = now() + make_interval(secs => $2) FROM lapsed WHERE generation.id = lapsed.id RETURNING generation.id, generation.state`,
      [asker, leaseSeconds],
    );
  }

  /**
   * Ends one that was taken over, when it still runs: with the longer of the saved text and `text`,
   * with `sources` (null: those that were saved), what was told of `notices` and `message`. null:
   * it is not the asker's.
   */
  async closeLapsed(
    asker: string,
    o: {
      id: string;
      text: string;
      notices: string[];
      sources: SourceWire[] | null;
      message: string;
    },
  ): Promise<
    (AttachedGeneration & { threadId: number; workspaceId: number; userId: number | null }) | null
  > {
    await this.dataSource.query(
      `
      WITH g AS (UPDATE generation SET state = 'failed', finished_at = now() WHERE id = $2 AND lease_owner = $1 AND state = 'running' RETURNING turn_id)
      UPDATE turn SET state = 'failed', error = $3, answer = CASE WHEN length($4) > length(answer) THEN $4 ELSE answer END, sources = coalesce($5::json, sources), notices = CASE WHEN cardinality($6::text[]) > cardinality(notices) THEN $6 ELSE notices END FROM g WHERE turn.id = g.turn_id`,
      [
        asker,
        o.id,
        o.message,
        stripNullCharacters(o.text),
        o.sources === null ? null : JSON.stringify(o.sources),
        o.notices,
      ],
    );
    const rows = await queryRows<
      AttachedRow & { thread_id: number; workspace_id: number; user_id: number | null }
    >(
      this.dataSource,
      `
      SELECT g.id, g.turn_id, g.state, g.finished_at, g.thread_id, g.workspace_id, g.user_id, t.answer, t.notices, t.sources, t.metrics, t.error, t.refused
      FROM generation g JOIN turn t ON t.id = g.turn_id WHERE g.id = $2 AND g.lease_owner = $1`,
      [asker, o.id],
    );
    const row = rows[0];
    return row === undefined
      ? null
      : {
          ...attached(row),
          threadId: row.thread_id,
          workspaceId: row.workspace_id,
          userId: row.user_id,
        };
  }

  /**
   * Asks for a stop of the caller's own generation: a queued one ends here (and any replica sees to
   * the end of its stream,
   * should this one not come to it), a running one is told by column and broadcast. null: no such
   * generation, or not the caller's.
   */
  async requestCancel(
    scope: Scope,
    id: string,
  ): Promise<{
    state: GenerationState;
    turnId: number;
    threadId: number;
    workspaceId: number;
  } | null> {
    const rows = await queryRows<{
      state: GenerationState;
      turn_id: number;
      thread_id: number;
      workspace_id: number;
    }>(
      this.dataSource,
      `
      WITH g AS (UPDATE generation SET cancel_requested = true, state = CASE WHEN state = 'queued' THEN 'cancelled' ELSE state END,
          finished_at = CASE WHEN state = 'queued' THEN now() ELSE finished_at END,
          lease_expires_at = CASE WHEN state = 'queued' THEN now() + interval '2 seconds' ELSE lease_expires_at END
        WHERE id = $1 AND user_id IS NOT DISTINCT FROM $2 RETURNING state, turn_id, thread_id, workspace_id),
      t AS (UPDATE turn SET state = 'cancelled' FROM g WHERE turn.id = g.turn_id AND turn.state = 'queued' AND g.state = 'cancelled')
      SELECT * FROM g`,
      [id, scope.principal.userId],
    );
    const row = rows[0];
    return row === undefined
      ? null
      : {
          state: row.state,
          turnId: row.turn_id,
          threadId: row.thread_id,
          workspaceId: row.workspace_id,
        };
  }

  /**
   * Ends what is queued and marks what runs in a workspace, in these threads or turns of it, or for
   * a user; answers the ids of
   * both. The caller sees to the streams of the queued ones; should it not come to it, any replica
   * does.
   */
  async requestCancelAll(
    manager: EntityManager,
    where: { workspaceId: number; threadIds?: number[]; turnIds?: number[] } | { userId: number },
  ): Promise<{ running: string[]; queued: string[] }> {
    const [of, value, threadIds, turnIds] =
      "userId" in where
        ? ["user_id", where.userId, null, null]
        : ["workspace_id", where.workspaceId, where.threadIds ?? null, where.turnIds ?? null];
    const rows = await queryRows<{ id: string; state: GenerationState }>(
      manager,
      `
      UPDATE generation SET cancel_requested = true, state = CASE WHEN state = 'queued' THEN 'cancelled' ELSE state END,
        finished_at = CASE WHEN state = 'queued' THEN now() ELSE finished_at END,
        lease_expires_at = CASE WHEN state = 'queued' THEN now() + interval '2 seconds' ELSE lease_expires_at END
      WHERE ${of} = $1 AND state IN ('queued', 'running') AND ($2::int[] IS NULL OR thread_id = ANY($2)) AND ($3::int[] IS NULL OR turn_id = ANY($3))
      RETURNING id, state`,
      [value, threadIds, turnIds],
    );
    const endedAs = (state: GenerationState): string[] =>
      rows.filter((row) => row.state === state).map((row) => row.id);
    return { running: endedAs("running"), queued: endedAs("cancelled") };
  }

  /**
   * Answers that were deleted with their conversation `ageSeconds` ago or more, and whose streams
   * may have no end.
   */
  async listDeleted(ageSeconds: number): Promise<string[]> {
    return (
      await queryRows<{ id: string }>(
        this.dataSource,
        "SELECT id FROM deleted_generation WHERE deleted_at < now() - make_interval(secs => $1) ORDER BY deleted_at LIMIT 1000",
        [ageSeconds],
      )
    ).map(({ id }) => id);
  }

  async forgetDeleted(ids: string[]): Promise<void> {
    if (ids.length > 0)
      await this.dataSource.query("DELETE FROM deleted_generation WHERE id = ANY($1::uuid[])", [
        ids,
      ]);
  }

  /**
   * The workspace of the caller's own generation; null too when its conversation is in the trash.
   */
  async findWorkspace(scope: Scope, id: string): Promise<{ id: number; slug: string } | null> {
    const rows = await queryRows<{ id: number; slug: string }>(
      this.dataSource,
      `SELECT g.workspace_id AS id, g.scope->'workspace'->>'slug' AS slug
      FROM generation g JOIN thread ON thread.id = g.thread_id AND thread.deleted_at IS NULL WHERE g.id = $1 AND g.user_id IS NOT DISTINCT FROM $2`,
      [id, scope.principal.userId],
    );
    return rows[0] ?? null;
  }

  async exists(id: string): Promise<boolean> {
    return (
      (await queryRows(this.dataSource, "SELECT 1 FROM generation WHERE id = $1", [id])).length > 0
    );
  }

  async findOwn(scope: Scope, id: string): Promise<AttachedGeneration | null> {
    const rows = await queryRows<AttachedRow>(
      this.dataSource,
      `
      SELECT g.id, g.turn_id, g.state, g.finished_at, t.answer, t.notices, t.sources, t.metrics, t.error, t.refused FROM generation g JOIN turn t ON t.id = g.turn_id
      JOIN thread ON thread.id = g.thread_id AND thread.deleted_at IS NULL WHERE g.id = $1 AND g.user_id IS NOT DISTINCT FROM $2`,
      [id, scope.principal.userId],
    );
    return rows[0] === undefined ? null : attached(rows[0]);
  }

  /** What runs in a thread of the caller, else what waits first. */
  async findCurrent(
    scope: WorkspaceScope,
    threadId: number,
  ): Promise<{ id: string; turnId: number; state: "queued" | "running" } | null> {
    const rows = await queryRows<{ id: string; turn_id: number; state: "queued" | "running" }>(
      this.dataSource,
      `
      SELECT id, turn_id, state FROM generation WHERE thread_id = $1 AND workspace_id = $2 AND user_id IS NOT DISTINCT FROM $3 AND state IN ('queued', 'running') ORDER BY position LIMIT 1`,
      [threadId, scope.workspace.id, scope.principal.userId],
    );
    return rows[0] === undefined
      ? null
      : { id: rows[0].id, turnId: rows[0].turn_id, state: rows[0].state };
  }

  /** The last `limit` finished or partial turns before this one, oldest first. */
  async listHistory(
    scope: WorkspaceScope,
    threadId: number,
    beforeTurnId: number,
    limit: number,
  ): Promise<HistoryTurn[]> {
    const rows = await queryRows<HistoryTurn>(
      this.dataSource,
      `
      SELECT question, answer, attachments FROM turn WHERE thread_id = $1 AND workspace_id = $2 AND user_id IS NOT DISTINCT FROM $3 AND id < $4 AND ${visibleTurn("turn")}
      ORDER BY id DESC LIMIT $5`,
      [threadId, scope.workspace.id, scope.principal.userId, beforeTurnId, limit],
    );
    return rows.reverse();
  }
}

interface AttachedRow {
  id: string;
  turn_id: number;
  state: TurnState;
  finished_at: Date | null;
  answer: string;
  notices: string[];
  sources: SourceWire[];
  metrics: MetricsWire | null;
  error: string | null;
  refused: boolean;
}
const attached = (row: AttachedRow): AttachedGeneration => ({
  id: row.id,
  turnId: row.turn_id,
  state: row.state,
  finishedAt: row.finished_at,
  answer: row.answer,
  notices: row.notices,
  sources: row.sources,
  metrics: row.metrics,
  error: row.error,
  refused: row.refused,
});
