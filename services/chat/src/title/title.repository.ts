import { Injectable } from "@nestjs/common";
import type { WorkspaceScope } from "@carrel/contracts";
import { DataSource } from "typeorm";
import { queryRows } from "../database/query-rows.ts";
import { visibleTurn } from "../database/visible-turn.ts";
import { defaultThreadName } from "../thread/thread.entity.ts";

/** A thread named after the first words of its question. */
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

const untitled = (threadId: string): string => `
  SELECT thread.id, thread.slug, thread.name, thread.workspace_id AS "workspaceId", thread.user_id AS "userId", turn.id AS "turnId", left(turn.question, 4000) AS question, left(turn.answer, 4000) AS answer,
    (SELECT generation.scope FROM generation WHERE generation.turn_id = turn.id) AS scope
  FROM thread JOIN LATERAL (SELECT * FROM turn WHERE turn.thread_id = thread.id AND ${visibleTurn("turn")} ORDER BY turn.id LIMIT 1) turn ON turn.state = 'done'
  WHERE thread.named_by IS NULL AND thread.slug IS NOT NULL AND thread.deleted_at IS NULL AND thread.name <> '${defaultThreadName}' AND ${threadId}`;

@Injectable()
export class TitleRepository {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Returns null if the thread already has a title, was named by the user, or has no finished
   * answer.
   */
  async findUntitled(threadId: number, turnId: number): Promise<UntitledThread | null> {
    const rows = await queryRows<UntitledThread>(this.dataSource, untitled("thread.id = $1"), [
      threadId,
    ]);
    return rows[0]?.turnId === turnId ? rows[0] : null;
  }

  async findDue(threadId: number): Promise<{ id: number; turnId: number } | null> {
    return (
      (
        await queryRows<UntitledThread>(this.dataSource, untitled("thread.id = $1"), [threadId])
      )[0] ?? null
    );
  }

  /** Only of the last hour: older threads keep the first words as their name. */
  async listDue(limit: number): Promise<{ id: number; turnId: number }[]> {
    return queryRows<UntitledThread>(
      this.dataSource,
      `${untitled(`thread.last_updated_at > now() - interval '1 hour'`)} ORDER BY thread.id LIMIT $1`,
      [limit],
    );
  }

  /** Returns false if it has been renamed in the meantime. */
  async rename(thread: UntitledThread, name: string): Promise<boolean> {
    const rows = await queryRows<{ id: number }>(
      this.dataSource,
      `UPDATE thread SET name = $3, named_by = 'model' WHERE id = $1 AND name = $2 AND named_by IS NULL AND deleted_at IS NULL RETURNING id`,
      [thread.id, thread.name, name],
    );
    return rows.length > 0;
  }

  /** Makes the first words its permanent name. */
  async settle(thread: UntitledThread): Promise<void> {
    await this.dataSource.query(
      `UPDATE thread SET named_by = 'question' WHERE id = $1 AND named_by IS NULL`,
      [thread.id],
    );
  }
}
