import {
  findMissingUsers,
  inviteAccepted,
  servicePrincipal,
  userDeleted,
  type EventPayload,
  type Scope,
} from "@carrel/contracts";
import {
  Consume,
  OrphanReconciler,
  RequestClient,
  eventMessage,
  type OutboxMessage,
} from "@carrel/messaging";
import { Injectable, Module } from "@nestjs/common";
import { DataSource } from "typeorm";
import { EventModule } from "../event/event.module.ts";
import { LifecycleModule } from "../lifecycle/lifecycle.module.ts";
import { MemberModule, MemberRepository } from "../member/member.repository.ts";
import { PresetModule } from "../preset/preset.module.ts";
import { PresetRepository } from "../preset/preset.repository.ts";
import { UserDirectory, UserModule } from "../user/user-directory.ts";
import { WorkspaceModule } from "../workspace/workspace-read.repository.ts";
import { WorkspaceRepository } from "../workspace/workspace.repository.ts";
import { MemberHandler } from "./member.handler.ts";
import { Membership } from "./membership.ts";
import { MemberChanges, UserReferenceRepository } from "./user-reference.repository.ts";

/**
 * Removes a deleted user: their memberships and commands are deleted, and everything else they
 * owned or created stays without an owner.
 */
@Injectable()
class UserRemoval {
  constructor(
    private readonly dataSource: DataSource,
    private readonly workspaces: WorkspaceRepository,
    private readonly members: MemberRepository,
    private readonly presets: PresetRepository,
    private readonly references: UserReferenceRepository,
    private readonly changes: MemberChanges,
  ) {}

  async remove(scope: Scope, userId: number): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      // Workspace rows are always locked before member rows, to avoid deadlocks.
      await this.workspaces.disown(scope, manager, userId);
      await this.members.removeUser(scope, manager, userId);
      await this.presets.removeUser(scope, manager, userId);
      await this.references.clear(scope, manager, userId);
      await this.changes.record(manager, null, [userId]);
    });
    await this.changes.announce(null, [userId]);
  }
}

const scope = { principal: servicePrincipal, workspace: null };

/**
 * Removes users whose deletion was lost in Redis, or who were added just as they were deleted.
 */
@Injectable()
class UserOrphanReconciler extends OrphanReconciler {
  constructor(
    private readonly references: UserReferenceRepository,
    private readonly requests: RequestClient,
  ) {
    super();
  }

  protected override listIds(after: number, limit: number): Promise<number[]> {
    return this.references.listUserIds(scope, after, limit);
  }

  protected override async findMissing(ids: number[]): Promise<number[]> {
    return (await this.requests.request(findMissingUsers, { ids }, { scope })).ids;
  }

  protected override deletionOf(userId: number): OutboxMessage {
    return eventMessage(userDeleted, { userId });
  }
}

const serviceScope: Scope = { principal: servicePrincipal, workspace: null };

/** Applies auth's user events. */
@Injectable()
class MemberConsumer {
  constructor(
    private readonly membership: Membership,
    private readonly removal: UserRemoval,
    private readonly users: UserDirectory,
  ) {}

  @Consume(inviteAccepted)
  async join({ userId, workspaceIds }: EventPayload<typeof inviteAccepted>): Promise<void> {
    // If the event arrives late, the user may have been deleted in the meantime.
    if (!(await this.users.find([userId])).has(userId)) return;
    await this.membership.join(serviceScope, userId, workspaceIds);
  }

  @Consume(userDeleted)
  async removeUser({ userId }: EventPayload<typeof userDeleted>): Promise<void> {
    await this.removal.remove(serviceScope, userId);
  }
}

@Module({
  imports: [EventModule, LifecycleModule, MemberModule, PresetModule, UserModule, WorkspaceModule],
  controllers: [MemberHandler],
  providers: [
    MemberChanges,
    MemberConsumer,
    Membership,
    UserOrphanReconciler,
    UserReferenceRepository,
    UserRemoval,
  ],
})
export class MembershipModule {}
