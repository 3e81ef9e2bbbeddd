import type { Conversation, Scope, WorkspaceScope } from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import { DataSource, type EntityManager } from "typeorm";
import { queryRows } from "../database/query-rows.ts";
import type { GenerationState } from "./generation.entity.ts";

/** A generation cancelled while it was queued. */
export interface QueuedGeneration {
  id: string;
  turnId: number;
  threadId: number;
  workspaceId: number;
  userId: number | null;
  channel: Conversation["channel"] | null;
}
/** Which generations to cancel: a workspace's, those of threads or turns in it, or a user's. */
export type CancelTarget =
  | { workspaceId: number; threadIds?: readonly number[]; turnIds?: readonly number[] }
  | { userId: number };

/**
 * Cancels generations. A queued one ends here; a running one is marked, and its replica stops it.
 * If the caller fails to end the stream of a queued one, any replica does.
 */
@Injectable()
export class GenerationCancelRepository {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Cancels the caller's own generation; returns null if there is none or it belongs to someone
   * else.
   */
  async cancel(
    scope: Scope,
    id: string,
  ): Promise<{
    state: GenerationState;
    turnId: number;
    threadId: number;
    workspaceId: number;
    channel: Conversation["channel"] | null;
  } | null> {
    const rows = await queryRows<{
      state: GenerationState;
      turn_id: number;
      thread_id: number;
      workspace_id: number;
      channel: Conversation["channel"] | null;
    }>(
      this.dataSource,
      `
      WITH g AS (
        UPDATE chat.generation SET cancel_requested = true,
          state = CASE WHEN state = 'queued' THEN 'cancelled' ELSE state END,
          finished_at = CASE WHEN state = 'queued' THEN now() ELSE finished_at END,
          lease_expires_at = CASE
            WHEN state = 'queued' THEN now() + interval '2 seconds'
            ELSE lease_expires_at
          END
        WHERE id = $1 AND user_id IS NOT DISTINCT FROM $2
        RETURNING state, turn_id, thread_id, workspace_id
      ),
      t AS (
        UPDATE chat.turn SET state = 'cancelled'
        FROM g
        WHERE turn.id = g.turn_id AND g.state = 'cancelled' AND turn.state IN ('queued', 'running')
      )
      SELECT g.*, thread.channel FROM g JOIN chat.thread ON thread.id = g.thread_id`,
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
          channel: row.channel,
        };
  }

  /** Returns the IDs of the running and of the queued generations. */
  async cancelAll(
    manager: EntityManager,
    where: CancelTarget,
  ): Promise<{ running: string[]; queued: string[] }> {
    const [of, value, threadIds, turnIds] =
      "userId" in where
        ? ["user_id", where.userId, null, null]
        : ["workspace_id", where.workspaceId, where.threadIds ?? null, where.turnIds ?? null];
    const rows = await queryRows<{ id: string; state: GenerationState }>(
      manager,
      `
      UPDATE chat.generation SET cancel_requested = true,
        state = CASE WHEN state = 'queued' THEN 'cancelled' ELSE state END,
        finished_at = CASE WHEN state = 'queued' THEN now() ELSE finished_at END,
        lease_expires_at = CASE
          WHEN state = 'queued' THEN now() + interval '2 seconds'
          ELSE lease_expires_at
        END
      FROM (
        SELECT id FROM chat.generation
        WHERE ${of} = $1
          AND state IN ('queued', 'running')
          AND ($2::int[] IS NULL OR thread_id = ANY($2))
          AND ($3::int[] IS NULL OR turn_id = ANY($3))
        ORDER BY turn_id, id FOR NO KEY UPDATE
      ) unfinished
      WHERE generation.id = unfinished.id
      RETURNING generation.id, state`,
      [value, threadIds, turnIds],
    );
    const endedAs = (state: GenerationState): string[] =>
      rows.filter((row) => row.state === state).map((row) => row.id);
    return { running: endedAs("running"), queued: endedAs("cancelled") };
  }

  /** Ends the queued runs of these turns and asks the running ones to stop. */
  async cancelTurns(
    manager: EntityManager,
    scope: WorkspaceScope,
    turnIds: readonly number[],
  ): Promise<{ running: string[]; queued: QueuedGeneration[] }> {
    const { workspace, principal } = scope;
    const queued = await queryRows<{ id: string; turn_id: number; thread_id: number }>(
      manager,
      `
      WITH g AS (
        UPDATE chat.generation SET cancel_requested = true, state = 'cancelled', finished_at = now(),
          lease_expires_at = now() + interval '2 seconds'
        WHERE workspace_id = $1 AND turn_id = ANY($2::int[]) AND state = 'queued'
        RETURNING id, turn_id, thread_id
      ),
      t AS (UPDATE chat.turn SET state = 'cancelled' FROM g WHERE turn.id = g.turn_id)
      SELECT * FROM g`,
      [workspace.id, turnIds],
    );
    const { running } = await this.cancelAll(manager, { workspaceId: workspace.id, turnIds });
    return {
      running,
      queued: queued.map((row) => ({
        id: row.id,
        turnId: row.turn_id,
        threadId: row.thread_id,
        workspaceId: workspace.id,
        userId: principal.userId,
        // Only people edit questions.
        channel: null,
      })),
    };
  }
}
