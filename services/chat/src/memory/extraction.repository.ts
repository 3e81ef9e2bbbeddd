import type { WorkspaceScope } from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import { DataSource } from "typeorm";
import { queryRows } from "../database/query-rows.ts";
import { MemoryRepository } from "./memory.repository.ts";
import { excludeKnown } from "./read-facts.ts";

/**
 * A thread idle for this long has settled; an active one is processed after this many turns or this
 * long.
 */
const quietSeconds = 60;
const maxTurns = 10;
const longestSeconds = 900;
/** Maximum number of characters read of one question. */
const maxRead = 1_000;

/** Turns of a thread that have not been processed. */
export interface DueTurns {
  ids: number[];
  workspaceId: number;
  /** Scope of the last question; null if its run was deleted. */
  scope: WorkspaceScope | null;
  /** Questions that are still visible, newest last. */
  questions: string[];
}

@Injectable()
export class ExtractionRepository {
  constructor(
    private readonly dataSource: DataSource,
    private readonly memories: MemoryRepository,
  ) {}

  /** Queues turns for extraction, skipping those deleted in the meantime. */
  async add(turnIds: readonly number[]): Promise<void> {
    await this.dataSource.query(
      `INSERT INTO memory_turn (turn_id, thread_id)
      SELECT id, thread_id
      FROM turn
      WHERE id = ANY($1::int[])
      ORDER BY id
      ON CONFLICT DO NOTHING`,
      [turnIds],
    );
  }

  /** Lists threads that have settled, with their newest turn that is due. */
  async listDue(limit: number): Promise<{ threadId: number; turnId: number }[]> {
    return queryRows<{ threadId: number; turnId: number }>(
      this.dataSource,
      `SELECT thread_id AS "threadId", max(turn_id) AS "turnId"
      FROM memory_turn
      GROUP BY thread_id
      HAVING max(noted_at) < now() - make_interval(secs => $1)
        OR min(noted_at) < now() - make_interval(secs => $2)
        OR count(*) >= $3
      ORDER BY min(noted_at) LIMIT $4`,
      [quietSeconds, longestSeconds, maxTurns, limit],
    );
  }

  /** Finds the due turns up to this one; null if all were processed or deleted. */
  async find(threadId: number, turnId: number): Promise<DueTurns | null> {
    const rows = await queryRows<{
      id: number;
      workspace_id: number;
      question: string;
      is_shown: boolean;
      scope: WorkspaceScope | null;
    }>(
      this.dataSource,
      `
      SELECT turn.id, turn.workspace_id, left(turn.question, ${maxRead}) AS question,
        turn.active
          AND NOT turn.hidden
          AND turn.state = 'done'
          AND thread.deleted_at IS NULL AS is_shown,
        (SELECT generation.scope FROM generation WHERE generation.turn_id = turn.id) AS scope
      FROM memory_turn
      JOIN turn ON turn.id = memory_turn.turn_id
      JOIN thread ON thread.id = turn.thread_id
      WHERE memory_turn.thread_id = $1 AND memory_turn.turn_id <= $2
      ORDER BY turn.id`,
      [threadId, turnId],
    );
    const last = rows.at(-1);
    if (last === undefined) return null;
    return {
      ids: rows.map(({ id }) => id),
      workspaceId: last.workspace_id,
      scope: last.scope,
      questions: rows.filter((row) => row.is_shown).map(({ question }) => question),
    };
  }

  /**
   * Removes the turns from the queue and adds the memories found, in one transaction, so that a
   * retried job adds nothing twice. Skips known memories and those over the limit; replaces
   * nothing. Returns how many were added.
   */
  async settle(
    { ids, workspaceId }: Pick<DueTurns, "ids" | "workspaceId">,
    facts: readonly string[],
  ): Promise<number> {
    return this.dataSource.transaction(async (manager) => {
      // Reads the current owner: threads of single-user mode become an admin's. Deleting the turns
      // waits for this transaction and then sees the memories it added.
      const due = await queryRows<{ user_id: number | null }>(
        manager,
        `DELETE FROM memory_turn USING turn
        WHERE turn.id = memory_turn.turn_id AND turn.id = ANY($1::int[])
        RETURNING turn.user_id`,
        [ids],
      );
      if (due.length === 0 || facts.length === 0) return 0;
      const userId = due[0]!.user_id;
      const room = await this.memories.roomFor(manager, userId, workspaceId);
      const known = await queryRows<{ content: string }>(
        manager,
        `SELECT content FROM memory
        WHERE coalesce(user_id, 0) = coalesce($1::int, 0) AND coalesce(workspace_id, 0) IN (0, $2)`,
        [userId, workspaceId],
      );
      const added = excludeKnown(
        facts,
        known.map(({ content }) => content),
      ).slice(0, Math.max(0, room));
      for (const content of added)
        await this.memories.create(manager, userId, workspaceId, content);
      return added.length;
    });
  }
}
