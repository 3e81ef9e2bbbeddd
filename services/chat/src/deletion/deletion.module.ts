import {
  confirmWorkspaceDeleted,
  deleteChats,
  deleteEditedChats,
  deleteEditedThreadChats,
  findMissingUsers,
  findMissingWorkspaces,
  servicePrincipal,
  userDeleted,
  workspaceDeleted,
  type EventPayload,
  type In,
  type WorkspaceScope,
} from "@carrel/contracts";
import {
  Consume,
  Handle,
  OrphanReconciler,
  RequestClient,
  eventMessage,
  type OutboxMessage,
  type RequestContext,
} from "@carrel/messaging";
import { Controller, Injectable, Module } from "@nestjs/common";
import { DataSource } from "typeorm";
import { inTransaction } from "../database/in-transaction.ts";
import { GenerationStopper, type StoppedGenerations } from "../generation/generation-stopper.ts";
import { GenerationModule } from "../generation/generation.module.ts";
import { MemoryModule } from "../memory/memory.module.ts";
import { MemoryRepository } from "../memory/memory.repository.ts";
import { ShareModule } from "../share/share.module.ts";
import { ShareRepository } from "../share/share.repository.ts";
import { resolveThread } from "../thread/resolve-thread.ts";
import { ThreadModule } from "../thread/thread.module.ts";
import { ThreadRepository } from "../thread/thread.repository.ts";
import { TrashModule } from "../trash/trash.module.ts";
import { TurnBranches } from "../turn/turn-branches.ts";
import { TurnChanges } from "../turn/turn-changes.ts";
import { TurnModule } from "../turn/turn.module.ts";
import { TurnRepository } from "../turn/turn.repository.ts";
import { inWorkspace } from "../workspace-scope.ts";
import { DeletionRepository } from "./deletion.repository.ts";
import { FileOrphanReconciler } from "./file-orphan.reconciler.ts";
import { ThreadDeletionHandler } from "./thread-deletion.handler.ts";
import { UserDeletedConsumer } from "./user-deleted.consumer.ts";

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
 * When a workspace is deleted, ends its links, stops its runs, deletes its threads, turns and
 * memories, and announces that. Idempotent.
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
    await this.stopper.endDeleted(await this.stopper.stopAll({ workspaceId }));
    while ((await this.deletions.deleteWorkspaceBatch(workspaceId, batch)) > 0);
    await this.memories.deleteOfWorkspace(workspaceId);
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
  imports: [GenerationModule, MemoryModule, ShareModule, ThreadModule, TrashModule, TurnModule],
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
