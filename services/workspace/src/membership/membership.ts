import { CarrelError, membersChanged, servicePrincipal, type Scope } from "@carrel/contracts";
import { Broadcast, eventMessage, Outbox } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import { DataSource } from "typeorm";
import { EventLog } from "../event/event-log.ts";
import { PresetRepository } from "../preset/preset.repository.ts";
import { PromptHistoryRepository } from "../prompt-history/prompt-history.repository.ts";
import { UserDirectory, type KnownUser } from "../user/user-directory.ts";
import { VariableRepository } from "../variable/variable.repository.ts";
import type { Workspace } from "../workspace/workspace.entity.ts";
import { WorkspaceRepository } from "../workspace/workspace.repository.ts";
import type { Member } from "../member/member.entity.ts";
import { MemberRepository } from "../member/member.repository.ts";

/**
 * Maximum users listed as added or removed in one event log entry, so that a page of a hundred
 * entries fits into one reply.
 */
const mostNamed = 20;

export interface MembersAfter {
  members: Member[];
  users: ReadonlyMap<number, KnownUser>;
}

/**
 * Changes to workspace membership. Each is recorded, broadcast immediately and delivered reliably
 * through the outbox.
 */
@Injectable()
export class Membership {
  constructor(
    private readonly dataSource: DataSource,
    private readonly members: MemberRepository,
    private readonly workspaces: WorkspaceRepository,
    private readonly users: UserDirectory,
    private readonly log: EventLog,
    private readonly outbox: Outbox,
    private readonly broadcast: Broadcast,
    private readonly presets: PresetRepository,
    private readonly variables: VariableRepository,
    private readonly promptHistory: PromptHistoryRepository,
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
          ids.slice(0, mostNamed).map((id) => ({ id, username: users.get(id)?.username ?? null }));
        const many =
          changed.length > mostNamed
            ? { addedCount: added.length, removedCount: removed.length }
            : {};
        await this.log.record(manager, scope, "workspace_members_changed", {
          workspaceId: workspace.id,
          workspaceName: workspace.name,
          added: named(added),
          removed: named(removed),
          ...many,
        });
        await this.outbox.add(
          manager,
          eventMessage(membersChanged, { workspaceId: workspace.id, userIds: changed }),
        );
      }
      return { changed, members: await this.members.list(scope, workspace.id, manager) };
    });
    if (done === null) return null;
    if (done.changed.length > 0)
      await this.broadcast.publishEvent(membersChanged, {
        workspaceId: workspace.id,
        userIds: done.changed,
      });
    return { members: done.members, users };
  }

  /** Fulfils an invite: adds the user to those of its workspaces that still exist. Idempotent. */
  async join(scope: Scope, userId: number, workspaceIds: readonly number[]): Promise<void> {
    const joined = await this.dataSource.transaction(async (manager) => {
      const added = await this.members.join(carrel(scope), manager, userId, workspaceIds);
      if (added.length === 0) return false;
      const workspaces = await this.workspaces.listNames(carrel(scope), added, manager);
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
      await this.outbox.add(
        manager,
        eventMessage(membersChanged, { workspaceId: null, userIds: [userId] }),
      );
      return true;
    });
    if (joined)
      await this.broadcast.publishEvent(membersChanged, { workspaceId: null, userIds: [userId] });
  }

  /**
   * Removes a deleted user: their memberships and commands are deleted, and everything else they
   * owned or created stays without an owner.
   */
  async forget(scope: Scope, userId: number): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      // Workspace rows are always locked before member rows, to avoid deadlocks.
      await this.workspaces.disown(scope, manager, userId);
      await this.members.removeUser(scope, manager, userId);
      await this.presets.removeUser(scope, manager, userId);
      await this.variables.disown(scope, manager, userId);
      await this.promptHistory.disown(scope, manager, userId);
      await this.outbox.add(
        manager,
        eventMessage(membersChanged, { workspaceId: null, userIds: [userId] }),
      );
    });
    await this.broadcast.publishEvent(membersChanged, { workspaceId: null, userIds: [userId] });
  }
}

/**
 * An invite grants the rights needed to accept it: auth has validated it, and only services can
 * make this request.
 */
const carrel = (scope: Scope): Scope => ({ ...scope, principal: servicePrincipal });
