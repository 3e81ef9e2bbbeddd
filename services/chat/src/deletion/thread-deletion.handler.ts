import { Controller } from "@nestjs/common";
import {
  clearDefaultThread,
  deleteThread,
  deleteThreads,
  type In,
  type Out,
  type WorkspaceScope,
} from "@carrel/contracts";
import { Handle, type RequestContext } from "@carrel/messaging";
import { DataSource, type EntityManager } from "typeorm";
import { inTransaction } from "../database/in-transaction.ts";
import { GenerationStopper } from "../generation/generation-stopper.ts";
import { DefaultThreadRepository } from "../thread/default-thread.repository.ts";
import { threadNotFound } from "../thread/resolve-thread.ts";
import { ThreadChanges } from "../thread/thread-changes.ts";
import { ThreadRepository } from "../thread/thread.repository.ts";
import { TrashRepository } from "../trash/trash.repository.ts";
import { inWorkspace } from "../workspace-scope.ts";

@Controller()
export class ThreadDeletionHandler {
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
