import { membersChanged } from "@carrel/contracts";
import { eventMessage, Outbox, OwnerTransfer, type OwnedTable } from "@carrel/messaging";
import type { Logger } from "@carrel/observability";
import { LOGGER } from "@carrel/runtime";
import { Inject, Injectable } from "@nestjs/common";
import { DataSource, type EntityManager } from "typeorm";

/**
 * Multi-user mode was switched on: workspaces and commands of the instance become the first
 * admin's, who is a member of those workspaces too.
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
      // Where the admin has made the same command meanwhile, the old one goes on under a name of
      // its own.
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
