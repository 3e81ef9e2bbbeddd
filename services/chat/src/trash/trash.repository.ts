import { threadDeleted, type WorkspaceScope } from "@carrel/contracts";
import { eventMessage, Outbox } from "@carrel/messaging";
import { CONFIG } from "@carrel/runtime";
import { Inject, Injectable } from "@nestjs/common";
import { DataSource, IsNull, Not, type EntityManager } from "typeorm";
import type { ChatConfig } from "../chat.config.ts";
import { hasNullCharacter } from "../database/null-character.ts";
import { queryRows } from "../database/query-rows.ts";
import { Thread } from "../thread/thread.entity.ts";
import type { NamedThread } from "../thread/thread.repository.ts";

/** Maximum number of threads per event. */
const eventBatch = 1_000;
export type TrashedThread = NamedThread & { deletedAt: Date };

/**
 * Deleted threads can be restored for `days`. With 0 there is no trash, and what is still in it is
 * purged.
 */
@Injectable()
export class TrashRepository {
  readonly days: number;

  constructor(
    private readonly dataSource: DataSource,
    private readonly outbox: Outbox,
    @Inject(CONFIG) config: ChatConfig,
  ) {
    this.days = config.CARREL_TRASH_DAYS;
  }

  /**
   * Hides the threads and ends their links for good: a restore doesn't bring those back. Their
   * queued turns have already ended (the caller stops generations).
   */
  async put(manager: EntityManager, scope: WorkspaceScope, ids: number[]): Promise<void> {
    if (ids.length === 0) return;
    await manager.query(
      `UPDATE chat.thread SET deleted_at = now()
      WHERE id = ANY($1::int[]) AND workspace_id = $2 AND user_id IS NOT DISTINCT FROM $3`,
      [ids, scope.workspace.id, scope.principal.userId],
    );
    await manager.query("DELETE FROM chat.share WHERE thread_id = ANY($1::int[])", [ids]);
    await manager.query(
      `UPDATE chat.turn SET state = 'cancelled' WHERE thread_id = ANY($1::int[]) AND state = 'queued'`,
      [ids],
    );
  }

  /** Deletes the threads with their turns and generations, and notifies the other services. */
  async deleteForGood(manager: EntityManager, scope: WorkspaceScope, ids: number[]): Promise<void> {
    if (ids.length === 0) return;
    await manager.query(
      "DELETE FROM chat.thread WHERE id = ANY($1::int[]) AND workspace_id = $2 AND user_id IS NOT DISTINCT FROM $3",
      [ids, scope.workspace.id, scope.principal.userId],
    );
    await this.announceDeleted(manager, scope.workspace.id, ids);
  }

  /** The caller's restorable threads, last deleted first; 1,000 at most. */
  async list(scope: WorkspaceScope): Promise<TrashedThread[]> {
    if (this.days === 0) return [];
    const threads = await this.dataSource.manager.find(Thread, {
      where: { ...trashed(scope), slug: Not(IsNull()) },
      order: { deletedAt: "DESC", id: "DESC" },
      take: 1_000,
    });
    return threads.filter(
      (thread): thread is TrashedThread => thread.slug !== null && thread.deletedAt !== null,
    );
  }

  /** Returns null if the caller has no such thread in the trash. */
  async restore(scope: WorkspaceScope, slug: string): Promise<NamedThread | null> {
    if (this.days === 0 || hasNullCharacter(slug)) return null;
    const rows = await queryRows<{ id: number }>(
      this.dataSource,
      `UPDATE chat.thread SET deleted_at = NULL
      WHERE workspace_id = $1
        AND user_id IS NOT DISTINCT FROM $2
        AND slug = $3
        AND deleted_at IS NOT NULL
      RETURNING id`,
      [scope.workspace.id, scope.principal.userId, slug],
    );
    return rows[0] === undefined
      ? null
      : ((await this.dataSource.manager.findOneBy(Thread, {
          id: rows[0].id,
        })) as NamedThread | null);
  }

  /** Locks one of the caller's threads in the trash and returns its ID. */
  async lock(manager: EntityManager, scope: WorkspaceScope, slug: string): Promise<number | null> {
    if (hasNullCharacter(slug)) return null;
    const thread = await manager.findOne(Thread, {
      select: { id: true },
      where: { ...trashed(scope), slug },
      lock: { mode: "pessimistic_write" },
    });
    return thread?.id ?? null;
  }

  /**
   * Deletes one batch of expired threads and returns how many. Safe to call from several replicas
   * at once.
   */
  async purgeExpired(batch: number): Promise<number> {
    return this.dataSource.transaction(async (manager) => {
      const rows = await queryRows<{ id: number; workspace_id: number }>(
        manager,
        `
        DELETE FROM chat.thread
        WHERE id IN (
          SELECT id FROM chat.thread
          WHERE deleted_at < now() - make_interval(days => $1::int)
          ORDER BY deleted_at LIMIT $2 FOR UPDATE SKIP LOCKED
        )
        RETURNING id, workspace_id`,
        [this.days, batch],
      );
      const byWorkspace = Map.groupBy(rows, (row) => row.workspace_id);
      for (const [workspaceId, gone] of byWorkspace)
        await this.announceDeleted(
          manager,
          workspaceId,
          gone.map(({ id }) => id),
        );
      return rows.length;
    });
  }

  private async announceDeleted(
    manager: EntityManager,
    workspaceId: number,
    ids: number[],
  ): Promise<void> {
    const messages = [];
    for (let start = 0; start < ids.length; start += eventBatch)
      messages.push(
        eventMessage(threadDeleted, {
          workspaceId,
          threadIds: ids.slice(start, start + eventBatch),
        }),
      );
    await this.outbox.add(manager, ...messages);
  }
}

const trashed = (scope: WorkspaceScope) => ({
  workspaceId: scope.workspace.id,
  userId: scope.principal.userId ?? IsNull(),
  deletedAt: Not(IsNull()),
});
