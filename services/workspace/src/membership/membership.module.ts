import {
  inviteAccepted,
  servicePrincipal,
  userDeleted,
  type EventPayload,
  type Scope,
  findMissingUsers,
} from "@carrel/contracts";
import {
  Consume,
  eventMessage,
  OrphanReconciler,
  RequestClient,
  type OutboxMessage,
} from "@carrel/messaging";
import { Module, Injectable } from "@nestjs/common";
import { EventModule } from "../event/event.module.ts";
import { LifecycleModule } from "../lifecycle/lifecycle.module.ts";
import { MemberModule } from "../member/member.module.ts";
import { PresetModule } from "../preset/preset.module.ts";
import { UserDirectory } from "../user/user-directory.ts";
import { UserModule } from "../user/user.module.ts";
import { WorkspaceModule } from "../workspace/workspace.module.ts";
import { MemberChanges } from "./member-changes.ts";
import { MemberHandler } from "./member.handler.ts";
import { Membership } from "./membership.ts";
import { UserReferenceRepository } from "./user-reference.repository.ts";
import { UserRemoval } from "./user-removal.ts";

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
