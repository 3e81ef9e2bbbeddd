import { Injectable } from "@nestjs/common";
import {
  readRecorded,
  type AnswerOverrides,
  type FaultWire,
  type MetricsWire,
  type ReasoningSpan,
  type Scope,
  type SourceWire,
  type ToolCall,
  type WorkspaceScope,
  type RecordedReasoning,
} from "@carrel/contracts";
import { DataSource, type EntityManager } from "typeorm";
import { queryRows } from "../database/query-rows.ts";
import type { Attachment, TurnState } from "../turn/turn.entity.ts";
import { leaseSeconds, Replica } from "./replica.ts";

/** A generation as its owner sees it when attaching. */
export interface AttachedGeneration {
  id: string;
  turnId: number;
  state: TurnState;
  finishedAt: Date | null;
  answer: string;
  reasoning: ReasoningSpan[] | null;
  notices: (FaultWire | string)[];
  sources: SourceWire[];
  metrics: MetricsWire | null;
  fault: FaultWire | null;
  error: string | null;
  refused: boolean;
  toolCalls: ToolCall[] | null;
}

export interface NewGeneration {
  id: string;
  threadId: number;
  scope: WorkspaceScope;
  question: string;
  attachments: Attachment[];
  requestedMode: "chat" | "query" | null;
  overrides: AnswerOverrides | null;
  timeZone: string | null;
  locale: string | null;
  /** Whether this replica has a free slot for it. */
  mayRun: boolean;
  /** undefined: after the newest turn of the active path. */
  parentId?: number | null | undefined;
}

@Injectable()
export class GenerationRepository {
  constructor(
    private readonly dataSource: DataSource,
    private readonly replica: Replica,
  ) {}

  /**
   * Inserts the pending turn and its generation in one statement: running under this replica's
   * lease if the thread is free and `mayRun`, otherwise queued.
   */
  async insertPending(
    manager: EntityManager,
    o: NewGeneration,
  ): Promise<{ turnId: number; running: boolean }> {
    const rows = await queryRows<{ turn_id: number; running: boolean }>(
      manager,
      `
      WITH s AS (
        SELECT (
          $9::boolean
          AND NOT EXISTS (
            SELECT 1 FROM generation WHERE thread_id = $2::int AND state IN ('queued', 'running')
          )
        ) AS running
      ),
      t AS (
        INSERT INTO turn (
          thread_id, workspace_id, user_id, question, attachments, mentions, mode, state, parent_id
        )
        SELECT $2::int, $3::int, $4::int, $5::text, $6::json,
          coalesce($16::jsonb->'mentions', '[]'), coalesce($7::text, 'chat'),
          CASE WHEN s.running THEN 'running' ELSE 'queued' END,
          CASE
            WHEN $12::boolean THEN $13::int
            ELSE (
              SELECT b.id FROM turn b
              WHERE b.thread_id = $2::int AND b.user_id IS NOT DISTINCT FROM $4::int AND b.active
              ORDER BY b.id DESC LIMIT 1
            )
          END
        FROM s
        RETURNING id
      )
      INSERT INTO generation (
        id, turn_id, thread_id, workspace_id, user_id, state, scope, requested_mode, time_zone,
        locale, overrides, lease_owner, lease_expires_at, started_at
      )
      SELECT $1::uuid, t.id, $2::int, $3::int, $4::int,
        CASE WHEN s.running THEN 'running' ELSE 'queued' END, $8::jsonb, $7::text, $14::text,
        $15::text, $16::jsonb, CASE WHEN s.running THEN $10::text END,
        CASE WHEN s.running THEN now() + make_interval(secs => $11::float8) END,
        CASE WHEN s.running THEN now() END
      FROM s, t
      RETURNING turn_id, state = 'running' AS running`,
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
        this.replica.id,
        leaseSeconds,
        o.parentId !== undefined,
        o.parentId ?? null,
        o.timeZone,
        o.locale,
        o.overrides === null ? null : JSON.stringify(o.overrides),
      ],
    );
    return { turnId: rows[0]!.turn_id, running: rows[0]!.running };
  }

  /** What its asker chose for this question alone, so that asking it again keeps that. */
  async findQuestionChoices(
    manager: EntityManager,
    threadId: number,
    turnId: number,
  ): Promise<Pick<AnswerOverrides, "places" | "modelChoice" | "mentions"> | null> {
    const [row] = await queryRows<{ overrides: AnswerOverrides | null }>(
      manager,
      "SELECT overrides FROM generation WHERE turn_id = $1 AND thread_id = $2",
      [turnId, threadId],
    );
    const { places, modelChoice, mentions } = row?.overrides ?? {};
    return places || modelChoice ? { places, modelChoice, mentions } : null;
  }

  /**
   * Returns the workspace of the caller's generation; null also while its conversation is in the
   * trash.
   */
  async findWorkspace(scope: Scope, id: string): Promise<{ id: number; slug: string } | null> {
    const rows = await queryRows<{ id: number; slug: string }>(
      this.dataSource,
      `SELECT g.workspace_id AS id, g.scope->'workspace'->>'slug' AS slug
      FROM generation g
      JOIN thread ON thread.id = g.thread_id AND thread.deleted_at IS NULL
      WHERE g.id = $1 AND g.user_id IS NOT DISTINCT FROM $2`,
      [id, scope.principal.userId],
    );
    return rows[0] ?? null;
  }

  async findOwn(scope: Scope, id: string): Promise<AttachedGeneration | null> {
    const rows = await queryRows<AttachedRow>(
      this.dataSource,
      `
      SELECT g.id, g.turn_id, g.state, g.finished_at, t.answer, t.reasoning, t.notices,
        t.coded_notices, t.sources, t.metrics, t.error, t.fault, t.refused, g.tool_calls
      FROM generation g
      JOIN turn t ON t.id = g.turn_id
      JOIN thread ON thread.id = g.thread_id AND thread.deleted_at IS NULL
      WHERE g.id = $1 AND g.user_id IS NOT DISTINCT FROM $2`,
      [id, scope.principal.userId],
    );
    return rows[0] === undefined ? null : mapAttached(rows[0]);
  }

  /** Returns the running generation in the caller's thread, otherwise the next in its queue. */
  async findCurrent(
    scope: WorkspaceScope,
    threadId: number,
  ): Promise<{ id: string; turnId: number; state: "queued" | "running" } | null> {
    const rows = await queryRows<{ id: string; turn_id: number; state: "queued" | "running" }>(
      this.dataSource,
      `
      SELECT id, turn_id, state
      FROM generation
      WHERE thread_id = $1
        AND workspace_id = $2
        AND user_id IS NOT DISTINCT FROM $3
        AND state IN ('queued', 'running')
      ORDER BY position LIMIT 1`,
      [threadId, scope.workspace.id, scope.principal.userId],
    );
    const row = rows[0];
    return row === undefined ? null : { id: row.id, turnId: row.turn_id, state: row.state };
  }
}

export interface AttachedRow {
  id: string;
  turn_id: number;
  state: TurnState;
  finished_at: Date | null;
  answer: string;
  reasoning: RecordedReasoning | null;
  notices: string[];
  coded_notices: FaultWire[];
  sources: SourceWire[];
  metrics: MetricsWire | null;
  fault: FaultWire | null;
  error: string | null;
  refused: boolean;
  tool_calls: ToolCall[] | null;
}

export const mapAttached = (row: AttachedRow): AttachedGeneration => ({
  id: row.id,
  turnId: row.turn_id,
  state: row.state,
  finishedAt: row.finished_at,
  answer: row.answer,
  reasoning: readRecorded(row.answer, row.reasoning),
  notices: [...row.notices, ...row.coded_notices],
  sources: row.sources,
  metrics: row.metrics,
  fault: row.fault,
  error: row.error,
  refused: row.refused,
  toolCalls: row.tool_calls,
});
