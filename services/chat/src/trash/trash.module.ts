import { listTrash, purgeThread, restoreThread, type In, type Out } from "@carrel/contracts";
import { Handle, Reconciler, type OutboxMessage, type RequestContext } from "@carrel/messaging";
import { Controller, Injectable, Module } from "@nestjs/common";
import { DataSource } from "typeorm";
import { inTransaction } from "../database/in-transaction.ts";
import { threadNotFound } from "../thread/resolve-thread.ts";
import { ThreadChanges } from "../thread/thread-changes.ts";
import { ThreadModule } from "../thread/thread.module.ts";
import { mapThread } from "../thread/thread.repository.ts";
import { inWorkspace } from "../workspace-scope.ts";
import { TrashRepository } from "./trash.repository.ts";

const dayMs = 86_400_000;

@Controller()
class TrashHandler {
  constructor(
    private readonly dataSource: DataSource,
    private readonly trash: TrashRepository,
    private readonly changes: ThreadChanges,
  ) {}

  @Handle(listTrash)
  async list(_input: In<typeof listTrash>, ctx: RequestContext): Promise<Out<typeof listTrash>> {
    const { days } = this.trash;
    const threads = await this.trash.list(inWorkspace(ctx.scope));
    return {
      days,
      threads: threads.map((thread) => ({
        ...mapThread(thread),
        deletedAt: thread.deletedAt.toISOString(),
        purgedAt: new Date(thread.deletedAt.getTime() + days * dayMs).toISOString(),
      })),
    };
  }

  @Handle(restoreThread)
  async restore(
    input: In<typeof restoreThread>,
    ctx: RequestContext,
  ): Promise<Out<typeof restoreThread>> {
    const scope = inWorkspace(ctx.scope);
    const thread = await this.trash.restore(scope, input.threadSlug);
    if (thread === null) throw threadNotFound();
    this.changes.announce(scope, "restored", [thread.slug]);
    return { thread: mapThread(thread) };
  }

  @Handle(purgeThread)
  async purge(input: In<typeof purgeThread>, ctx: RequestContext): Promise<void> {
    const scope = inWorkspace(ctx.scope);
    await inTransaction(this.dataSource, async (manager) => {
      const id = await this.trash.lock(manager, scope, input.threadSlug);
      if (id === null) throw threadNotFound();
      await this.trash.deleteForGood(manager, scope, [id]);
    });
    this.changes.announce(scope, "deleted", [input.threadSlug]);
  }
}

const batch = 200;

/** Purges expired threads from the trash. */
@Injectable()
class TrashReconciler extends Reconciler {
  constructor(private readonly trash: TrashRepository) {
    super();
  }

  override async due(): Promise<OutboxMessage[]> {
    while ((await this.trash.purgeExpired(batch)) === batch);
    return [];
  }
}

@Module({
  imports: [ThreadModule],
  controllers: [TrashHandler],
  providers: [TrashReconciler, TrashRepository],
  exports: [TrashRepository],
})
export class TrashModule {}
