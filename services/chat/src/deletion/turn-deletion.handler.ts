import { Controller } from "@nestjs/common";
import {
  deleteChats,
  deleteEditedChats,
  deleteEditedThreadChats,
  type In,
  type WorkspaceScope,
} from "@carrel/contracts";
import { Handle, type RequestContext } from "@carrel/messaging";
import { DataSource } from "typeorm";
import { inTransaction } from "../database/in-transaction.ts";
import { GenerationStopper, type StoppedGenerations } from "../generation/generation-stopper.ts";
import { resolveThread } from "../thread/resolve-thread.ts";
import { ThreadRepository } from "../thread/thread.repository.ts";
import { TurnBranches } from "../turn/turn-branches.ts";
import { TurnChanges } from "../turn/turn-changes.ts";
import { TurnRepository } from "../turn/turn.repository.ts";
import { inWorkspace } from "../workspace-scope.ts";

/**
 * Removes turns from the active path, permanently or as a parked branch, and stops what runs in
 * them.
 */
@Controller()
export class TurnDeletionHandler {
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
