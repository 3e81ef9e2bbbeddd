import { userDeleted, type EventPayload } from "@carrel/contracts";
import { Consume, Reconciler, type OutboxMessage } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import { DataSource } from "typeorm";
import { queryRows } from "../database/query-rows.ts";
import { GenerationStopper } from "../generation/generation-stopper.ts";
import { McpServerDeletion } from "../mcp/mcp-server-deletion.ts";
import { MemoryRepository } from "../memory/memory.repository.ts";
import { ShareRepository } from "../share/share.repository.ts";
import { SkillPermissionRepository } from "../skill-permission/skill-permission.repository.ts";
import { DeletionRepository } from "./deletion.repository.ts";

const batch = 500;
/** Requests in flight when the account was deleted have ended by then. */
const lateSeconds = 90;

/**
 * When an account is deleted, ends its links, stops its runs and deletes its threads, turns,
 * memories, schedules and permissions of tools; then once more for data created by requests in flight. Idempotent.
 */
@Injectable()
export class UserDeletedConsumer extends Reconciler {
  constructor(
    private readonly dataSource: DataSource,
    private readonly deletions: DeletionRepository,
    private readonly stopper: GenerationStopper,
    private readonly memories: MemoryRepository,
    private readonly shares: ShareRepository,
    private readonly mcpServers: McpServerDeletion,
    private readonly permissions: SkillPermissionRepository,
  ) {
    super();
  }

  @Consume(userDeleted)
  async delete({ userId }: EventPayload<typeof userDeleted>): Promise<void> {
    await this.dataSource.query(
      "INSERT INTO chat.deleted_user (user_id) VALUES ($1) ON CONFLICT DO NOTHING",
      [userId],
    );
    await this.deleteAll(userId);
  }

  override async due(): Promise<OutboxMessage[]> {
    const rows = await queryRows<{ user_id: number }>(
      this.dataSource,
      `SELECT user_id FROM chat.deleted_user WHERE deleted_at < now() - $1 * interval '1 second'`,
      [lateSeconds],
    );
    for (const { user_id: userId } of rows) {
      await this.deleteAll(userId);
      await this.dataSource.query("DELETE FROM chat.deleted_user WHERE user_id = $1", [userId]);
    }
    return [];
  }

  private async deleteAll(userId: number): Promise<void> {
    await this.shares.deleteOfUser(userId);
    // First, so that none starts another run.
    await this.deletions.deleteSchedules({ userId });
    await this.stopper.endDeleted(await this.stopper.stopAll({ userId }));
    while ((await this.deletions.deleteUserBatch(userId, batch)) > 0);
    await this.memories.deleteOfUser(userId);
    await this.mcpServers.deleteOfUser(userId);
    await this.permissions.deleteOfUser(userId);
    await this.deletions.deleteFlowRuns("user_id", userId);
    await this.dataSource.query("DELETE FROM chat.question WHERE user_id = $1", [userId]);
  }
}
