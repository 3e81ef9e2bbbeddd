import {
  clearDefaultThread,
  confirmWorkspaceDeleted,
  deleteChats,
  deleteEditedChats,
  deleteEditedThreadChats,
  deleteThread,
  deleteThreads,
  findMissingUsers,
  findMissingWorkspaces,
  listFileThreads,
  servicePrincipal,
  threadDeleted,
  userDeleted,
  workspaceDeleted,
  type EventPayload,
  type In,
  type Out,
  type WorkspaceScope,
} from "@carrel/contracts";
import {
  Consume,
  DailyReconciler,
  Handle,
  OrphanReconciler,
  RequestClient,
  eventMessage,
  type OutboxMessage,
  type RequestContext,
} from "@carrel/messaging";
import { Controller, Injectable, Module } from "@nestjs/common";
import { DataSource, type EntityManager } from "typeorm";
import { inTransaction } from "../database/in-transaction.ts";
import { queryRows } from "../database/query-rows.ts";
import { GenerationStopper, type StoppedGenerations } from "../generation/generation-stopper.ts";
import { GenerationModule } from "../generation/generation.module.ts";
import { McpModule } from "../mcp/mcp.module.ts";
import { MemoryModule } from "../memory/memory.module.ts";
import { MemoryRepository } from "../memory/memory.repository.ts";
import { ShareModule } from "../share/share.module.ts";
import { ShareRepository } from "../share/share.repository.ts";
import { SkillPermissionModule } from "../skill-permission/skill-permission.module.ts";
import { resolveThread, threadNotFound } from "../thread/resolve-thread.ts";
import { ThreadChanges } from "../thread/thread-changes.ts";
import { DefaultThreadRepository } from "../thread/thread-list.repository.ts";
import { ThreadModule } from "../thread/thread.module.ts";
import { ThreadRepository } from "../thread/thread.repository.ts";
import { TrashModule } from "../trash/trash.module.ts";
import { TrashRepository } from "../trash/trash.repository.ts";
import { TurnBranches, TurnChanges } from "../turn/turn-branches.ts";
import { TurnModule } from "../turn/turn.module.ts";
import { TurnRepository } from "../turn/turn.repository.ts";
import { inWorkspace } from "../workspace-scope.ts";
import { DeletionRepository } from "./deletion.repository.ts";
import { UserDeletedConsumer } from "./user-deleted.consumer.ts";

/** IDs per event. */
const eventBatch = 1_000;

/**
 * Once a day, deletes the files that ingest still has of threads without a row, as if their
 * deletion had just been announced (docs/decisions/messaging.md). The comparison runs in chat
 * because ingest can't call it: calls go the other way. A thread in the trash still has its row.
 */
@Injectable()
export class FileOrphanReconciler extends DailyReconciler {
  constructor(
    private readonly dataSource: DataSource,
    private readonly requests: RequestClient,
  ) {
    super();
  }

  protected override async compare(): Promise<OutboxMessage[]> {
    const orphans = await this.findOrphans();
    return [...orphans].flatMap(([workspaceId, threadIds]) =>
      Array.from({ length: Math.ceil(threadIds.length / eventBatch) }, (_, n) =>
        eventMessage(threadDeleted, {
          workspaceId,
          threadIds: threadIds.slice(n * eventBatch, (n + 1) * eventBatch),
        }),
      ),
    );
  }

  /** Returns deleted threads that still have files, by workspace. */
  private async findOrphans(): Promise<Map<number, number[]>> {
    const orphans = new Map<number, number[]>();
    let after: number | null = 0;
    while (after !== null) {
      const page: Out<typeof listFileThreads> = await this.requests.request(
        listFileThreads,
        { after },
        { scope },
      );
      const living = new Set(
        (
          await queryRows<{ id: number }>(
            this.dataSource,
            "SELECT id FROM chat.thread WHERE id = ANY($1::int[])",
            [page.threads.map(({ threadId }) => threadId)],
          )
        ).map((row) => row.id),
      );
      for (const { workspaceId, threadId } of page.threads)
        if (!living.has(threadId))
          orphans.set(workspaceId, [...(orphans.get(workspaceId) ?? []), threadId]);
      after = page.next;
    }
    return orphans;
  }
}

@Controller()
class ThreadDeletionHandler {
  constructor(
    private readonly dataSource: DataSource,
    private readonly threads: ThreadRepository,
    private readonly defaults: DefaultThreadRepository,
    private readonly trash: TrashRepository,
    private readonly stopper: GenerationStopper,
    private readonly changes: ThreadChanges,
  ) {}

  @Handle(deleteThread)
  async deleteOne(input: In<typeof deleteThread>, ctx: RequestContext): Promise<void> {
    const count = await this.delete(inWorkspace(ctx.scope), () => [input.threadSlug]);
    if (count === 0) throw threadNotFound();
  }

  @Handle(deleteThreads)
  async deleteMany(input: In<typeof deleteThreads>, ctx: RequestContext): Promise<void> {
    if (input.slugs.length > 0) await this.delete(inWorkspace(ctx.scope), () => input.slugs);
  }

  @Handle(clearDefaultThread)
  async clearDefault(
    _input: In<typeof clearDefaultThread>,
    ctx: RequestContext,
  ): Promise<Out<typeof clearDefaultThread>> {
    const scope = inWorkspace(ctx.scope);
    await this.delete(scope, async (manager) => {
      const slug = await this.defaults.release(manager, scope);
      return slug === null ? [] : [slug];
    });
    this.changes.announce(scope, "deleted", [""]);
    return { success: true };
  }

  /**
   * Deletes the caller's own threads and stops what runs in them. If the trash is enabled, they go
   * there first.
   */
  private async delete(
    scope: WorkspaceScope,
    find: (manager: EntityManager) => string[] | Promise<string[]>,
  ): Promise<number> {
    const { deleted, stopped } = await inTransaction(this.dataSource, async (manager) => {
      const deleted = await this.threads.lockAll(manager, scope, await find(manager));
      const threadIds = deleted.map(({ id }) => id);
      const stopped = await this.stopper.stopAll(
        { workspaceId: scope.workspace.id, threadIds },
        manager,
      );
      if (this.trash.days > 0) await this.trash.put(manager, scope, threadIds);
      else await this.trash.deleteForGood(manager, scope, threadIds);
      return { deleted, stopped };
    });
    await this.stopper.endDeleted(stopped);
    this.changes.announce(
      scope,
      "deleted",
      deleted.map(({ slug }) => slug),
    );
    return deleted.length;
  }
}

/**
 * Removes turns from the active path, permanently or as a parked branch, and stops what runs in
 * them.
 */
@Controller()
class TurnDeletionHandler {
  constructor(
    private readonly dataSource: DataSource,
    private readonly threads: ThreadRepository,
    private readonly turns: TurnRepository,
    private readonly branches: TurnBranches,
    private readonly stopper: GenerationStopper,
    private readonly changes: TurnChanges,
  ) {}

  @Handle(deleteChats)
  async delete(input: In<typeof deleteChats>, ctx: RequestContext): Promise<void> {
    const scope = inWorkspace(ctx.scope);
    if (input.chatIds.length === 0) return;
    const { stopped, threadIds } = await inTransaction(this.dataSource, async (manager) => {
      await this.branches.lock(manager, [
        ...(await this.turns.groupOwn(manager, scope, input.chatIds)).keys(),
      ]);
      // Read again: some may have been deleted while waiting for the lock.
      const byThread = await this.turns.groupOwn(manager, scope, input.chatIds);
      const stopped: StoppedGenerations[] = [];
      for (const [threadId, ids] of byThread) {
        stopped.push(await this.stopper.stopTurns(manager, scope, ids));
        await this.branches.delete(manager, scope, threadId, ids);
      }
      return { stopped, threadIds: [...byThread.keys()] };
    });
    for (const each of stopped) await this.stopper.end(each);
    for (const threadId of threadIds) this.changes.announce(scope, threadId);
  }

  @Handle(deleteEditedChats)
  parkInDefaultThread(input: In<typeof deleteEditedChats>, ctx: RequestContext): Promise<void> {
    return this.park(inWorkspace(ctx.scope), null, input.startingId);
  }

  @Handle(deleteEditedThreadChats)
  parkInThread(input: In<typeof deleteEditedThreadChats>, ctx: RequestContext): Promise<void> {
    return this.park(inWorkspace(ctx.scope), input.threadSlug, input.startingId);
  }

  private async park(
    scope: WorkspaceScope,
    slug: string | null,
    startingId: number,
  ): Promise<void> {
    const threadId = await resolveThread(this.threads, scope, slug);
    if (threadId === null) return;
    const stopped = await inTransaction(this.dataSource, async (manager) => {
      await this.branches.lock(manager, [threadId]);
      const parked = await this.branches.park(manager, scope, threadId, startingId, {
        removed: true,
      });
      return this.stopper.stopTurns(manager, scope, parked);
    });
    await this.stopper.end(stopped);
    this.changes.announce(scope, threadId);
  }
}

const batch = 500;

/**
 * When a workspace is deleted, ends its links, stops its runs, deletes its schedules, threads, turns,
 * memories and runs of flows, and announces that. Idempotent.
 */
@Injectable()
class WorkspaceDeletedConsumer {
  constructor(
    private readonly deletions: DeletionRepository,
    private readonly stopper: GenerationStopper,
    private readonly memories: MemoryRepository,
    private readonly shares: ShareRepository,
    private readonly requests: RequestClient,
  ) {}

  @Consume(workspaceDeleted)
  async delete({ workspaceId }: EventPayload<typeof workspaceDeleted>): Promise<void> {
    await this.shares.deleteOfWorkspace(workspaceId);
    await this.deletions.deleteSchedules({ workspaceId });
    await this.stopper.endDeleted(await this.stopper.stopAll({ workspaceId }));
    while ((await this.deletions.deleteWorkspaceBatch(workspaceId, batch)) > 0);
    await this.memories.deleteOfWorkspace(workspaceId);
    await this.deletions.deleteFlowRuns("workspace_id", workspaceId);
    await this.requests.request(
      confirmWorkspaceDeleted,
      { workspaceId, service: "chat" },
      { scope: { principal: servicePrincipal, workspace: null } },
    );
  }
}

const scope = { principal: servicePrincipal, workspace: null };

/**
 * Deletes conversations and memories of users whose deletion was lost in Redis, or who were still
 * asking when they were deleted.
 */
@Injectable()
export class UserOrphanReconciler extends OrphanReconciler {
  constructor(
    private readonly deletions: DeletionRepository,
    private readonly requests: RequestClient,
  ) {
    super();
  }

  protected override listIds(after: number, limit: number): Promise<number[]> {
    return this.deletions.listUserIds(after, limit);
  }

  protected override async findMissing(ids: number[]): Promise<number[]> {
    return (await this.requests.request(findMissingUsers, { ids }, { scope })).ids;
  }

  protected override deletionOf(userId: number): OutboxMessage {
    return eventMessage(userDeleted, { userId });
  }
}

/** Deletes threads and memories of workspaces that no longer exist. */
@Injectable()
class WorkspaceOrphanReconciler extends OrphanReconciler {
  constructor(
    private readonly deletions: DeletionRepository,
    private readonly requests: RequestClient,
  ) {
    super();
  }

  protected override listIds(after: number, limit: number): Promise<number[]> {
    return this.deletions.listWorkspaceIds(after, limit);
  }

  protected override async findMissing(ids: number[]): Promise<number[]> {
    const scope = { principal: servicePrincipal, workspace: null };
    return (await this.requests.request(findMissingWorkspaces, { ids }, { scope })).ids;
  }

  protected override deletionOf(workspaceId: number): OutboxMessage {
    return eventMessage(workspaceDeleted, { workspaceId });
  }
}

@Module({
  imports: [
    GenerationModule,
    McpModule,
    MemoryModule,
    ShareModule,
    SkillPermissionModule,
    ThreadModule,
    TrashModule,
    TurnModule,
  ],
  controllers: [ThreadDeletionHandler, TurnDeletionHandler],
  providers: [
    DeletionRepository,
    FileOrphanReconciler,
    UserDeletedConsumer,
    UserOrphanReconciler,
    WorkspaceDeletedConsumer,
    WorkspaceOrphanReconciler,
  ],
})
export class DeletionModule {}
