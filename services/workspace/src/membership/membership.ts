import { CarrelError, membersChanged, servicePrincipal, type Scope } from "@carrel/contracts";
import { Broadcast, Outbox, eventMessage } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import { DataSource, type EntityManager } from "typeorm";
import { requireService } from "../access/workspace-rights.ts";
import { EventLog } from "../event/event.repository.ts";
import type { Member } from "../member/member.entity.ts";
import { MemberRepository } from "../member/member.repository.ts";
import { UserDirectory, type KnownUser } from "../user/user-directory.ts";
import type { Workspace } from "../workspace/workspace.entity.ts";
import { WorkspaceRepository } from "../workspace/workspace.repository.ts";

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
  ["notice", "user_id"],
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

/**
 * Maximum users listed as added or removed in one event log entry, so that a page of a hundred
 * entries fits into one reply.
 */
const maxNamed = 20;

export interface MembersAfter {
  members: Member[];
  users: ReadonlyMap<number, KnownUser>;
}

/** Changes to workspace membership, recorded in the event log. */
@Injectable()
export class Membership {
  constructor(
    private readonly dataSource: DataSource,
    private readonly members: MemberRepository,
    private readonly workspaces: WorkspaceRepository,
    private readonly users: UserDirectory,
    private readonly log: EventLog,
    private readonly changes: MemberChanges,
  ) {}

  /**
   * Adds members or replaces all of them, ignoring unknown users. Null if `find` returns no
   * workspace; throws NOT_FOUND if `needsUser` is set and none of the ids belongs to a user.
   */
  async set(
    scope: Scope,
    find: (workspaces: WorkspaceRepository) => Promise<Workspace | null>,
    userIds: readonly number[],
    options: { replace: boolean; needsUser?: boolean },
  ): Promise<MembersAfter | null> {
    const workspace = await find(this.workspaces);
    if (workspace === null) return null;
    const before = await this.members.list(scope, workspace.id);
    const users = await this.users.find([...userIds, ...before.map((member) => member.userId)]);
    const known = userIds.filter((id) => users.has(id));
    if (options.needsUser === true && known.length === 0)
      throw new CarrelError("workspace.members-invalid");
    const done = await this.dataSource.transaction(async (manager) => {
      if (!(await this.workspaces.hold(scope, manager, workspace.id))) return null;
      const { added, removed } = await this.members.set(
        scope,
        manager,
        workspace.id,
        known,
        options,
      );
      const changed = [...added, ...removed];
      if (changed.length > 0) {
        const named = (ids: number[]): unknown[] =>
          ids.slice(0, maxNamed).map((id) => ({ id, username: users.get(id)?.username ?? null }));
        const many =
          changed.length > maxNamed
            ? { addedCount: added.length, removedCount: removed.length }
            : {};
        await this.log.record(manager, scope, "workspace_members_changed", {
          workspaceId: workspace.id,
          workspaceName: workspace.name,
          added: named(added),
          removed: named(removed),
          ...many,
        });
        const excluded = removed.filter((id) => users.get(id)?.role === "default");
        await this.changes.record(manager, workspace.id, changed, excluded);
      }
      return { changed, members: await this.members.list(scope, workspace.id, manager) };
    });
    if (done === null) return null;
    if (done.changed.length > 0) await this.changes.announce(workspace.id, done.changed);
    return { members: done.members, users };
  }

  /** Fulfils an invite: adds the user to its workspaces that still exist. Idempotent. */
  async join(scope: Scope, userId: number, workspaceIds: readonly number[]): Promise<void> {
    const joined = await this.dataSource.transaction(async (manager) => {
      const added = await this.members.join(asService(scope), manager, userId, workspaceIds);
      if (added.length === 0) return false;
      const workspaces = await this.workspaces.listNames(asService(scope), added, manager);
      for (const workspace of workspaces)
        await this.log.record(
          manager,
          scope,
          "workspace_members_changed",
          {
            workspaceId: workspace.id,
            workspaceName: workspace.name,
            added: [{ id: userId }],
            removed: [],
            via: "invite",
          },
          userId,
        );
      await this.changes.record(manager, null, [userId]);
      return true;
    });
    if (joined) await this.changes.announce(null, [userId]);
  }
}

/**
 * An invite grants the rights needed to accept it: auth has validated it, and only services can
 * make this request.
 */
const asService = (scope: Scope): Scope => ({ ...scope, principal: servicePrincipal });
