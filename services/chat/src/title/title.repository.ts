import type { WorkspaceScope } from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import { DataSource } from "typeorm";
import { queryRows } from "../database/query-rows.ts";
import { visibleTurn } from "../database/visible-turn.ts";
import { defaultThreadName } from "../thread/thread.entity.ts";

/** A thread named after its question. */
export interface UntitledThread {
  id: number;
  slug: string;
  name: string;
  workspaceId: number;
  userId: number | null;
  turnId: number;
  question: string;
  answer: string;
  /** Scope of the question; null if its run was deleted. */
  scope: WorkspaceScope | null;
}

/** Maximum number of conversations per request to the model; this many make a batch due at once. */
const batchSize = 12;
/** An owner's conversations are due when none of them has been active for this long. */
const quietSeconds = 300;
/** Older threads keep the title made from their question. */
const longestWait = "1 hour";

const untitled = `thread.named_by IS NULL
    AND thread.slug IS NOT NULL
    AND thread.deleted_at IS NULL
    AND thread.name <> '${defaultThreadName}'
    AND thread.last_updated_at > now() - interval '${longestWait}'`;
const firstTurn = `LATERAL (
    SELECT * FROM turn
    WHERE turn.thread_id = thread.id AND ${visibleTurn("turn")}
    ORDER BY turn.id LIMIT 1
  ) turn ON turn.state = 'done'`;

const kindOf = ({ scope }: UntitledThread): string | undefined => scope?.principal.kind;

@Injectable()
export class TitleRepository {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Returns the newest untitled threads of this one's workspace and owner, oldest first, up to a
   * batch; none if it already has a title, was named by the user, or has no finished answer. Never
   * mixes owners, so that no conversation can influence another person's titles.
   */
  async listBatch(threadId: number, turnId: number): Promise<UntitledThread[]> {
    const rows = await queryRows<UntitledThread>(
      this.dataSource,
      `
      SELECT thread.id, thread.slug, thread.name, thread.workspace_id AS "workspaceId",
        thread.user_id AS "userId", turn.id AS "turnId", left(turn.question, 4000) AS question,
        left(without_reasoning(turn.answer, turn.reasoning), 4000) AS answer,
        (SELECT generation.scope FROM generation WHERE generation.turn_id = turn.id) AS scope
      FROM thread due
      JOIN thread ON thread.workspace_id = due.workspace_id
        AND thread.user_id IS NOT DISTINCT FROM due.user_id
      JOIN ${firstTurn}
      WHERE due.id = $1 AND ${untitled}
      ORDER BY thread.id = $1 DESC, thread.id DESC LIMIT ${batchSize}`,
      [threadId],
    );
    const first = rows[0];
    if (first?.id !== threadId || first.turnId !== turnId) return [];
    // Threads without an owner may be conversations of an API client's many users.
    if (kindOf(first) === "key") return [first];
    return rows.filter((row) => kindOf(row) === kindOf(first)).reverse();
  }

  /**
   * Returns one thread of each workspace and owner whose conversations have settled or fill a
   * batch.
   */
  async listDue(limit: number): Promise<{ id: number; turnId: number }[]> {
    return queryRows<{ id: number; turnId: number }>(
      this.dataSource,
      `SELECT max(thread.id) AS id, (array_agg(turn.id ORDER BY thread.id DESC))[1] AS "turnId"
      FROM thread
      JOIN ${firstTurn}
      WHERE ${untitled}
      GROUP BY thread.workspace_id, thread.user_id
      HAVING max(thread.last_updated_at) < now() - make_interval(secs => ${quietSeconds})
        OR count(*) >= ${batchSize}
      ORDER BY 1 LIMIT $1`,
      [limit],
    );
  }

  /** Returns false if it has been renamed in the meantime. */
  async rename(thread: UntitledThread, name: string): Promise<boolean> {
    const rows = await queryRows<{ id: number }>(
      this.dataSource,
      `UPDATE thread SET name = $3, named_by = 'model'
      WHERE id = $1 AND name = $2 AND named_by IS NULL AND deleted_at IS NULL
      RETURNING id`,
      [thread.id, thread.name, name],
    );
    return rows.length > 0;
  }

  /** Keeps the title made from the question. */
  async settle(thread: UntitledThread): Promise<void> {
    await this.dataSource.query(
      `UPDATE thread SET named_by = 'question' WHERE id = $1 AND named_by IS NULL`,
      [thread.id],
    );
  }
}
