import { membersChanged } from "@carrel/contracts";
import { eventMessage, Outbox, OwnerTransfer, type OwnedTable } from "@carrel/messaging";
import type { Logger } from "@carrel/observability";
import { LOGGER } from "@carrel/runtime";
import { Inject, Injectable } from "@nestjs/common";
import { DataSource, type EntityManager } from "typeorm";

/**
 * When multi-user mode is enabled, transfers the instance's workspaces and commands to the first
 * admin and makes them a member of those workspaces.
 */
@Injectable()
export class WorkspaceOwnerTransfer extends OwnerTransfer {
  constructor(
    dataSource: DataSource,
    private readonly outbox: Outbox,
    @Inject(LOGGER) logger: Logger,
  ) {
    super(dataSource, {
      schema: "workspace",
      tables: ["workspace", "preset"].map((table) => ({
        table,
        ownerColumn: "user_id",
        createdColumn: "created_at",
      })),
      logger,
    });
  }

  protected override async move(
    manager: EntityManager,
    table: OwnedTable,
    ids: string[],
    adminId: number,
  ): Promise<void> {
    if (table.table === "preset") {
      // If the admin has already created the same command, rename the old one.
      await manager.query(
        `UPDATE "workspace"."preset" p SET "command" = p."command" || '-' || p."id" WHERE p."id" = ANY($2::int[])
        AND EXISTS (SELECT 1 FROM "workspace"."preset" own WHERE own."user_id" = $1 AND own."command" = p."command")`,
        [adminId, ids],
      );
      return super.move(manager, table, ids, adminId);
    }
    await super.move(manager, table, ids, adminId);
    await manager.query(
      `INSERT INTO "workspace"."workspace_member" ("workspace_id", "user_id") SELECT id, $1::int FROM unnest($2::int[]) AS moved(id) ON CONFLICT DO NOTHING`,
      [adminId, ids],
    );
    await this.outbox.add(
      manager,
      eventMessage(membersChanged, { workspaceId: null, userIds: [adminId] }),
    );
  }
}
