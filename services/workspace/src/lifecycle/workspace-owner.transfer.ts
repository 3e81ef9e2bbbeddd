import { membersChanged, multiUserEnabled, type EventPayload } from "@carrel/contracts";
import { OwnerTransfer } from "@carrel/database";
import { Consume, eventMessage, Outbox, Reconciler, type OutboxMessage } from "@carrel/messaging";
import type { Logger } from "@carrel/observability";
import { LOGGER } from "@carrel/runtime";
import { Inject, Injectable, type OnModuleDestroy } from "@nestjs/common";
import { DataSource, type EntityManager } from "typeorm";

/**
 * When multi-user mode is enabled, transfers the instance's workspaces and commands to the first
 * admin and makes them a member of those workspaces.
 */
@Injectable()
export class WorkspaceOwnerTransfer extends Reconciler implements OnModuleDestroy {
  private readonly transfer: OwnerTransfer;

  constructor(
    dataSource: DataSource,
    private readonly outbox: Outbox,
    @Inject(LOGGER) logger: Logger,
  ) {
    super();
    this.transfer = new OwnerTransfer(dataSource, {
      schema: "workspace",
      tables: ["workspace", "preset"].map((table) => ({
        table,
        ownerColumn: "user_id",
        createdColumn: "created_at",
      })),
      beforeBatch: (manager, { table }, ids, adminId) =>
        table === "preset"
          ? this.renameCommands(manager, ids, adminId)
          : this.join(manager, ids, adminId),
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
