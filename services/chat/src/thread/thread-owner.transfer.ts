import { Inject, Injectable } from "@nestjs/common";
import type { Principal } from "@carrel/contracts";
import { OwnerTransfer, type OwnedTable } from "@carrel/messaging";
import type { Logger } from "@carrel/observability";
import { LOGGER } from "@carrel/runtime";
import { DataSource, type EntityManager } from "typeorm";

/** The new name of the old default thread if the admin already has one. */
const earlierChatsName = "Earlier chats";

/**
 * Assigns the threads and memories of single-user mode to the first admin, each thread with all its
 * turns and generations in one transaction, so that its history is never incomplete.
 */
@Injectable()
export class ThreadOwnerTransfer extends OwnerTransfer {
  constructor(dataSource: DataSource, @Inject(LOGGER) logger: Logger) {
    super(dataSource, {
      schema: "chat",
      tables: [
        { table: "thread", ownerColumn: "user_id", createdColumn: "created_at" },
        { table: "memory", ownerColumn: "user_id", createdColumn: "created_at" },
      ],
      batchSize: 50,
      logger,
    });
  }

  protected override async move(
    manager: EntityManager,
    table: OwnedTable,
    ids: string[],
    adminId: number,
  ): Promise<void> {
    if (table.table === "thread") await this.moveThreads(manager, ids, adminId);
    await super.move(manager, table, ids, adminId);
  }

  private async moveThreads(manager: EntityManager, ids: string[], adminId: number): Promise<void> {
    await manager.query(
      `UPDATE thread SET slug = gen_random_uuid()::text, name = $3 WHERE id = ANY($2) AND slug IS NULL
      AND EXISTS (SELECT 1 FROM thread own WHERE own.workspace_id = thread.workspace_id AND own.user_id = $1 AND own.slug IS NULL)`,
      [adminId, ids, earlierChatsName],
    );
    await manager.query(
      "UPDATE turn SET user_id = $1 WHERE thread_id = ANY($2) AND user_id IS NULL",
      [adminId, ids],
    );
    // Queued questions must read the history as the new owner.
    const admin: Principal = { kind: "user", userId: adminId, role: "admin" };
    await manager.query(
      `UPDATE generation SET user_id = $1, scope = jsonb_set(scope, '{principal}', $3::jsonb) WHERE thread_id = ANY($2) AND user_id IS NULL`,
      [adminId, ids, JSON.stringify(admin)],
    );
  }
}
