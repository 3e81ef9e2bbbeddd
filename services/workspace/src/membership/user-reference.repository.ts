import { membersChanged, type Scope } from "@carrel/contracts";
import { Broadcast, Outbox, eventMessage } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import { DataSource, type EntityManager } from "typeorm";
import { requireService } from "../access/workspace-rights.ts";

/** Tells everyone whose memberships changed, in one workspace or (null) in any of them. */
@Injectable()
export class MemberChanges {
  constructor(
    private readonly outbox: Outbox,
    private readonly broadcast: Broadcast,
  ) {}

  /** Call inside the transaction that changes members, so that the event cannot be lost. */
  async record(
    manager: EntityManager,
    workspaceId: number | null,
    userIds: number[],
    excludedUserIds: number[] = [],
  ): Promise<void> {
    await this.outbox.add(
      manager,
      eventMessage(membersChanged, { workspaceId, userIds, excludedUserIds }),
    );
  }

  /** Call after the commit and before the reply, so that the change takes effect immediately. */
  async announce(workspaceId: number | null, userIds: number[]): Promise<void> {
    await this.broadcast.invalidate(membersChanged, { workspaceId, userIds });
  }
}

/** Rows that stay without an owner, and aren't locked in any particular order. */
const cleared = [
  ["variable", "user_id"],
  ["prompt_history", "modified_by"],
  ["widget", "user_id"],
] as const;

/** Where rows name a user; `UserRemoval` clears all of them. */
const references = [
  ["workspace_member", "user_id"],
  ["workspace", "user_id"],
  ["preset", "user_id"],
  ...cleared,
] as const;

@Injectable()
export class UserReferenceRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Ids of the users that any row names, in ascending order, starting after `after`. */
  async listUserIds(scope: Scope, after: number, limit: number): Promise<number[]> {
    requireService(scope);
    const selects = references.map(
      ([table, column]) =>
        `SELECT ${column} AS user_id FROM workspace.${table} WHERE ${column} > $1`,
    );
    const rows = await this.dataSource.query<{ user_id: number }[]>(
      `${selects.join(" UNION ")} ORDER BY 1 LIMIT $2`,
      [after, limit],
    );
    return rows.map((row) => row.user_id);
  }

  async clear(scope: Scope, manager: EntityManager, userId: number): Promise<void> {
    requireService(scope);
    for (const [table, column] of cleared)
      await manager.query(`UPDATE workspace.${table} SET ${column} = NULL WHERE ${column} = $1`, [
        userId,
      ]);
  }
}
