import type { Scope } from "@carrel/contracts";
import { Injectable, Module } from "@nestjs/common";
import { DataSource, type EntityManager } from "typeorm";
import { requireManager, requireService, rowIds } from "../access/workspace-rights.ts";
import { Member } from "./member.entity.ts";

@Injectable()
export class MemberRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Members of a workspace, ordered by user id; empty if the workspace doesn't exist. */
  async list(
    scope: Scope,
    workspaceId: number,
    manager: EntityManager = this.dataSource.manager,
  ): Promise<Member[]> {
    requireManager(scope);
    return manager
      .createQueryBuilder(Member, "member")
      .where("member.workspaceId = :workspaceId", { workspaceId })
      .andWhere(
        "EXISTS (SELECT 1 FROM workspace.workspace w WHERE w.id = member.workspaceId AND w.deleted_at IS NULL)",
      )
      .orderBy("member.userId")
      .getMany();
  }

  /**
   * Adds members or replaces all of them, and returns who was added and removed. The caller must
   * hold the workspace's row lock.
   */
  async set(
    scope: Scope,
    manager: EntityManager,
    workspaceId: number,
    userIds: readonly number[],
    options: { replace: boolean },
  ): Promise<{ added: number[]; removed: number[] }> {
    requireManager(scope);
    const ids = rowIds(userIds);
    const removed = options.replace
      ? await manager.query<[{ user_id: number }[], number]>(
          `DELETE FROM workspace.workspace_member
          WHERE workspace_id = $1 AND NOT (user_id = ANY($2::int[]))
          RETURNING user_id`,
          [workspaceId, ids],
        )
      : ([[], 0] as const);
    const added = await manager.query<{ user_id: number }[]>(
      `INSERT INTO workspace.workspace_member (workspace_id, user_id)
      SELECT $1, id
      FROM unnest($2::int[]) AS given(id)
      ON CONFLICT DO NOTHING
      RETURNING user_id`,
      [workspaceId, ids],
    );
    return {
      added: added.map((row) => row.user_id),
      removed: removed[0].map((row) => row.user_id),
    };
  }

  /** Adds a user to the workspaces that exist and returns the ones they weren't a member of. */
  async join(
    scope: Scope,
    manager: EntityManager,
    userId: number,
    workspaceIds: readonly number[],
  ): Promise<number[]> {
    requireService(scope);
    const added = await manager.query<{ workspace_id: number }[]>(
      `INSERT INTO workspace.workspace_member (workspace_id, user_id)
      SELECT id, $1::int
      FROM workspace.workspace
      WHERE id = ANY($2::int[]) AND deleted_at IS NULL
      ORDER BY id
      ON CONFLICT DO NOTHING
      RETURNING workspace_id`,
      [userId, rowIds(workspaceIds)],
    );
    return added.map((row) => row.workspace_id);
  }

  /**
   * Makes the creator a member, so that they keep access whatever their later role. The instance
   * and API keys need no membership.
   */
  async joinOwn(scope: Scope, manager: EntityManager, workspaceId: number): Promise<void> {
    if (scope.principal.userId === null) return;
    await manager.query(
      `INSERT INTO workspace.workspace_member (workspace_id, user_id) VALUES ($1, $2) ON CONFLICT DO NOTHING`,
      [workspaceId, scope.principal.userId],
    );
  }

  /** Removes all memberships of a user and returns how many there were. */
  async removeUser(scope: Scope, manager: EntityManager, userId: number): Promise<number> {
    requireService(scope);
    return (await manager.delete(Member, { userId })).affected ?? 0;
  }
}

@Module({
  providers: [MemberRepository],
  exports: [MemberRepository],
})
export class MemberModule {}
