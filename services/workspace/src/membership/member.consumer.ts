import {
  inviteAccepted,
  servicePrincipal,
  userDeleted,
  type EventPayload,
  type Scope,
} from "@carrel/contracts";
import { Consume } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import { UserDirectory } from "../user/user-directory.ts";
import { Membership } from "./membership.ts";
import { UserRemoval } from "./user-removal.ts";

const serviceScope: Scope = { principal: servicePrincipal, workspace: null };

/** Applies auth's user events. */
@Injectable()
export class MemberConsumer {
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
