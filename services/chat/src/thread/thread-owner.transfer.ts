import { Inject, Injectable, type OnModuleDestroy } from "@nestjs/common";
import { multiUserEnabled, type EventPayload, type Principal } from "@carrel/contracts";
import { OwnerTransfer } from "@carrel/database";
import { Consume, Reconciler, type OutboxMessage } from "@carrel/messaging";
import type { Logger } from "@carrel/observability";
import { LOGGER } from "@carrel/runtime";
import { DataSource, type EntityManager } from "typeorm";

/** The new name of the old default thread if the admin already has one. */
const earlierChatsName = "Earlier chats";

/**
 * Assigns the threads and memories of single-user mode to the first admin, each thread with all its
 * turns, generations and links in one transaction, so that its history is never incomplete.
 */
@Injectable()
export class ThreadOwnerTransfer extends Reconciler implements OnModuleDestroy {
  private readonly transfer: OwnerTransfer;

  constructor(dataSource: DataSource, @Inject(LOGGER) logger: Logger) {
    super();
    this.transfer = new OwnerTransfer(dataSource, {
      schema: "chat",
      tables: [
        {
          table: "thread",
          ownerColumn: "user_id",
          createdColumn: "created_at",
          // Conversations outside the app have no account, whatever the mode.
          condition: "channel IS NULL",
        },
        { table: "memory", ownerColumn: "user_id", createdColumn: "created_at" },
      ],
      batchSize: 50,
      beforeBatch: async (manager, { table }, ids, adminId) => {
        if (table === "thread") await this.moveContents(manager, ids, adminId);
      },
      onError: (error) =>
        logger.warn({ err: error }, "threads couldn't be transferred, will be retried"),
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

  private async moveContents(
    manager: EntityManager,
    threadIds: string[],
    adminId: number,
  ): Promise<void> {
    await manager.query(
      `UPDATE thread SET slug = gen_random_uuid()::text, name = $3
      WHERE id = ANY($2)
        AND slug IS NULL
        AND EXISTS (
          SELECT 1 FROM thread own
          WHERE own.workspace_id = thread.workspace_id AND own.user_id = $1 AND own.slug IS NULL
            AND own.channel IS NULL
        )`,
      [adminId, threadIds, earlierChatsName],
    );
    await manager.query(
      "UPDATE turn SET user_id = $1 WHERE thread_id = ANY($2) AND user_id IS NULL",
      [adminId, threadIds],
    );
    await manager.query(
      "UPDATE share SET user_id = $1 WHERE thread_id = ANY($2) AND user_id IS NULL",
      [adminId, threadIds],
    );
    // Queued questions must read the history as the new owner.
    const admin: Principal = { kind: "user", userId: adminId, role: "admin" };
    await manager.query(
      `UPDATE generation SET user_id = $1, scope = jsonb_set(scope, '{principal}', $3::jsonb)
      WHERE thread_id = ANY($2) AND user_id IS NULL`,
      [adminId, threadIds, JSON.stringify(admin)],
    );
  }
}
