import {
  flowRunReported,
  listNotices,
  noticesChanged,
  readNotices,
  scheduleReported,
  servicePrincipal,
  syncGivenUp,
  type EventPayload,
  type In,
  type Out,
  type Scope,
} from "@carrel/contracts";
import {
  Consume,
  Handle,
  Outbox,
  Reconciler,
  eventMessage,
  type OutboxMessage,
  type RequestContext,
} from "@carrel/messaging";
import { Controller, Injectable, Module } from "@nestjs/common";
import { DataSource } from "typeorm";
import { UserDirectory, UserModule } from "../user/user-directory.ts";
import type { Notice } from "./notice.entity.ts";
import { NoticeRepository } from "./notice.repository.ts";

const serviceScope: Scope = { principal: servicePrincipal, workspace: null };

/** A person's notices. */
@Controller()
class NoticeHandler {
  constructor(
    private readonly dataSource: DataSource,
    private readonly notices: NoticeRepository,
    private readonly outbox: Outbox,
  ) {}

  @Handle(listNotices)
  async list(
    _input: In<typeof listNotices>,
    { scope }: RequestContext,
  ): Promise<Out<typeof listNotices>> {
    const notices = await this.notices.list(scope);
    return { notices, unread: notices.filter(({ readAt }) => readAt === null).length };
  }

  @Handle(readNotices)
  async read(
    { ids }: In<typeof readNotices>,
    { scope }: RequestContext,
  ): Promise<Out<typeof readNotices>> {
    await this.dataSource.transaction(async (manager) => {
      if (!(await this.notices.markRead(scope, manager, ids ?? null))) return;
      const { userId } = scope.principal;
      await this.outbox.add(manager, eventMessage(noticesChanged, { userId }));
    });
    return { success: true };
  }
}

/** Turns events of other services into notices. */
@Injectable()
class NoticeConsumer {
  constructor(
    private readonly dataSource: DataSource,
    private readonly notices: NoticeRepository,
    private readonly outbox: Outbox,
    private readonly users: UserDirectory,
  ) {}

  @Consume(syncGivenUp)
  keep({ isRemoved, at, ...event }: EventPayload<typeof syncGivenUp>): Promise<void> {
    return this.add({
      ...event,
      kind: isRemoved ? "sync.removed" : "sync.stopped",
      scheduleId: null,
      flowRunId: null,
      flowId: null,
      threadSlug: null,
      createdAt: new Date(at),
    });
  }

  @Consume(flowRunReported)
  keepRun({ runId, at, ...event }: EventPayload<typeof flowRunReported>): Promise<void> {
    return this.add({
      ...event,
      documentId: null,
      connectionId: null,
      scheduleId: null,
      flowRunId: runId,
      threadSlug: null,
      createdAt: new Date(at),
    });
  }

  @Consume(scheduleReported)
  keepReport({ name, at, ...event }: EventPayload<typeof scheduleReported>): Promise<void> {
    return this.add({
      ...event,
      title: name,
      documentId: null,
      connectionId: null,
      flowRunId: null,
      flowId: null,
      createdAt: new Date(at),
    });
  }

  private async add(given: Omit<Notice, "readAt">): Promise<void> {
    const { userId } = given;
    // The person may have been deleted in the meantime.
    if (userId !== null && !(await this.users.find([userId])).has(userId)) return;
    const notice = { ...given, readAt: null };
    await this.dataSource.transaction(async (manager) => {
      if (!(await this.notices.add(serviceScope, manager, notice))) return;
      await this.notices.dropOlder(serviceScope, manager, notice);
      await this.outbox.add(manager, eventMessage(noticesChanged, { userId }));
    });
  }
}

const hourMs = 3_600_000;

/** Deletes old notices. */
@Injectable()
class NoticeReconciler extends Reconciler {
  private lastPrune = 0;

  constructor(private readonly notices: NoticeRepository) {
    super();
  }

  override async due(): Promise<OutboxMessage[]> {
    if (Date.now() - this.lastPrune > hourMs) {
      this.lastPrune = Date.now();
      await this.notices.prune();
    }
    return [];
  }
}

@Module({
  imports: [UserModule],
  controllers: [NoticeHandler],
  providers: [NoticeConsumer, NoticeReconciler, NoticeRepository],
  exports: [NoticeRepository],
})
export class NoticeModule {}
