import {
  getMemberRights,
  memberRights,
  membersChanged,
  multiUserEnabled,
  servicePrincipal,
  workspaceDeleted,
  type EventPayload,
  type In,
  type Out,
} from "@carrel/contracts";
import { OwnerTransfer } from "@carrel/database";
import {
  Consume,
  Handle,
  Outbox,
  Reconciler,
  eventMessage,
  type OutboxMessage,
  type RequestContext,
} from "@carrel/messaging";
import type { Logger } from "@carrel/observability";
import { LOGGER } from "@carrel/runtime";
import { Controller, Inject, Injectable, Module, type OnModuleDestroy } from "@nestjs/common";
import { DataSource, type EntityManager } from "typeorm";
import { managesAll } from "../access/workspace-rights.ts";
import { EventModule } from "../event/event.module.ts";
import { MemberModule } from "../member/member.repository.ts";
import { AllowedModelReader, PreferenceModule } from "../preference/preference.module.ts";
import { MemberRightReader } from "../preference/preference.repository.ts";
import { PromptHistoryModule } from "../prompt-history/prompt-history.repository.ts";
import { WidgetModule } from "../widget/widget.module.ts";
import { WorkspaceModule } from "../workspace/workspace-read.repository.ts";
import { WorkspaceRepository } from "../workspace/workspace.repository.ts";
import { WorkspaceLifecycle, WorkspaceUpdates } from "./workspace-lifecycle.ts";
import { WorkspaceHandler } from "./workspace.handler.ts";

/**
 * When multi-user mode is enabled, transfers the instance's workspaces, commands and notices to the first
 * admin and makes them a member of those workspaces.
 */
@Injectable()
class WorkspaceOwnerTransfer extends Reconciler implements OnModuleDestroy {
  private readonly transfer: OwnerTransfer;

  constructor(
    dataSource: DataSource,
    private readonly outbox: Outbox,
    @Inject(LOGGER) logger: Logger,
  ) {
    super();
    this.transfer = new OwnerTransfer(dataSource, {
      schema: "workspace",
      tables: ["workspace", "preset", "notice"].map((table) => ({
        table,
        ownerColumn: "user_id",
        createdColumn: "created_at",
      })),
      beforeBatch: (manager, { table }, ids, adminId) => this.prepare(table, manager, ids, adminId),
      onError: (error) =>
        logger.warn({ err: error }, "workspaces couldn't be transferred, will be retried"),
    });
  }

  @Consume(multiUserEnabled)
  async start({ adminId, at }: EventPayload<typeof multiUserEnabled>): Promise<void> {
    await this.transfer.start(adminId, at);
  }

  override async due(): Promise<OutboxMessage[]> {
    await this.transfer.resume();
    return [];
  }

  async onModuleDestroy(): Promise<void> {
    await this.transfer.stop();
  }

  private async prepare(
    table: string,
    manager: EntityManager,
    ids: string[],
    adminId: number,
  ): Promise<void> {
    if (table === "preset") await this.renameCommands(manager, ids, adminId);
    if (table === "workspace") await this.join(manager, ids, adminId);
  }

  /** Renames those commands that the admin has already created. */
  private async renameCommands(
    manager: EntityManager,
    ids: string[],
    adminId: number,
  ): Promise<void> {
    await manager.query(
      `UPDATE workspace.preset p SET command = p.command || '-' || p.id WHERE p.id = ANY($2::int[])
      AND EXISTS (SELECT 1 FROM workspace.preset own WHERE own.user_id = $1 AND own.command = p.command)`,
      [adminId, ids],
    );
  }

  private async join(manager: EntityManager, ids: string[], adminId: number): Promise<void> {
    await manager.query(
      `INSERT INTO workspace.workspace_member (workspace_id, user_id)
      SELECT id, $1::int
      FROM unnest($2::int[]) AS moved(id)
      ON CONFLICT DO NOTHING`,
      [adminId, ids],
    );
    await this.outbox.add(
      manager,
      eventMessage(membersChanged, { workspaceId: null, userIds: [adminId] }),
    );
  }
}

/** What admins allow members, for the app and the gateway's guard. */
@Controller()
class MemberRightHandler {
  constructor(
    private readonly rights: MemberRightReader,
    private readonly models: AllowedModelReader,
    private readonly workspaces: WorkspaceRepository,
  ) {}

  @Handle(getMemberRights)
  async list(
    _input: In<typeof getMemberRights>,
    { scope }: RequestContext,
  ): Promise<Out<typeof getMemberRights>> {
    // The guard asks as Carrel itself, for all members.
    const isAll = scope.principal.kind !== "service" && managesAll(scope);
    if (isAll) return { rights: [...memberRights], choosesModels: true, ownWorkspaces: [] };
    const [rights, choosesModels] = await Promise.all([
      this.rights.read(),
      this.models.mayMembersChoose(),
    ]);
    const ownWorkspaces = rights.includes("createWorkspaces")
      ? await this.workspaces.listOwn(scope)
      : [];
    return { rights, choosesModels, ownWorkspaces };
  }
}

/** Long enough for the first event to be handled; the consumers are idempotent. */
const graceMs = 60_000;

/**
 * Resends deletions that a service hasn't confirmed, because Redis lost the event or the service
 * missed it.
 */
@Injectable()
class TombstoneReconciler extends Reconciler {
  constructor(private readonly workspaces: WorkspaceRepository) {
    super();
  }

  override async due(): Promise<OutboxMessage[]> {
    const ids = await this.workspaces.listUnconfirmed(
      { principal: servicePrincipal, workspace: null },
      graceMs,
    );
    return ids.map((workspaceId) => eventMessage(workspaceDeleted, { workspaceId }));
  }
}

@Module({
  imports: [
    EventModule,
    MemberModule,
    PreferenceModule,
    PromptHistoryModule,
    WidgetModule,
    WorkspaceModule,
  ],
  controllers: [MemberRightHandler, WorkspaceHandler],
  providers: [TombstoneReconciler, WorkspaceLifecycle, WorkspaceOwnerTransfer, WorkspaceUpdates],
  exports: [WorkspaceLifecycle],
})
export class LifecycleModule {}
