import type { WorkspaceScope } from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import type { EntityManager } from "typeorm";
import { queryRows } from "../database/query-rows.ts";
import type { ScheduleRow } from "../schedule/schedule.repository.ts";
import { ThreadRepository } from "../thread/thread.repository.ts";

export interface ScheduleThread {
  id: number;
  slug: string;
  isNew: boolean;
}

/** Threads of schedules' results. */
@Injectable()
export class ScheduleThreads {
  constructor(private readonly threads: ThreadRepository) {}

  /** The thread of a schedule's results if there is one, else a new one. */
  async open(
    manager: EntityManager,
    scope: WorkspaceScope,
    schedule: ScheduleRow,
  ): Promise<ScheduleThread> {
    if (schedule.thread === "same" && schedule.threadId !== null) {
      const [kept] = await queryRows<{ id: number; slug: string }>(
        manager,
        `SELECT id, slug FROM chat.thread
        WHERE id = $1 AND workspace_id = $2 AND user_id IS NOT DISTINCT FROM $3
          AND slug IS NOT NULL AND deleted_at IS NULL`,
        [schedule.threadId, scope.workspace.id, scope.principal.userId],
      );
      if (kept !== undefined) return { ...kept, isNew: false };
    }
    const { id, slug } = await this.threads.create(manager, scope, {
      name: schedule.name,
      namedBy: "person",
    });
    if (schedule.thread === "same")
      await manager.query("UPDATE chat.schedule SET thread_id = $2 WHERE id = $1", [
        schedule.id,
        id,
      ]);
    return { id, slug, isNew: true };
  }

  /** Adds a result that no model was asked for. */
  async add(
    manager: EntityManager,
    scope: WorkspaceScope,
    {
      thread,
      scheduleId,
      ...turn
    }: {
      thread: ScheduleThread;
      scheduleId: string;
      question: string;
      answer: string;
    },
  ): Promise<void> {
    await this.threads.lock(manager, scope, thread.slug);
    // Its text has no reasoning, whatever tags are in it.
    const reasoning = JSON.stringify({ length: turn.answer.length, spans: [] });
    await manager.query(
      `INSERT INTO chat.turn (
        thread_id, workspace_id, user_id, question, answer, reasoning, state, schedule_id, parent_id
      )
      VALUES ($1, $2, $3, $4, $5, $6, 'done', $7, (
        SELECT id FROM chat.turn
        WHERE thread_id = $1 AND user_id IS NOT DISTINCT FROM $3 AND active
        ORDER BY id DESC LIMIT 1
      ))`,
      [
        thread.id,
        scope.workspace.id,
        scope.principal.userId,
        turn.question,
        turn.answer,
        reasoning,
        scheduleId,
      ],
    );
  }
}
