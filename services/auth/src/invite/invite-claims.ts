import {
  CarrelError,
  inviteAccepted,
  servicePrincipal,
  type acceptInvite,
  type Out,
  type Scope,
} from "@carrel/contracts";
import { eventMessage, Outbox } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import type { EntityManager } from "typeorm";
import { EventLog } from "../event-log/event-log.ts";
import { UserRepository } from "../user/user.repository.ts";
import { isOpen, type Invite } from "./invite.entity.ts";
import { InviteRepository } from "./invite.repository.ts";

/** Accepting an invite happens before sign-in, so Carrel itself creates the account. */
const own: Scope = { principal: servicePrincipal, workspace: null };

export const unusableInvite = (): CarrelError => new CarrelError("invite.unusable");

interface Claim {
  inviteHash: string;
  username: string;
  /** Null if the invite was no longer pending before the transaction. */
  passwordHash: string | null;
}

/** Turns an invite into an account, in the caller's transaction. */
@Injectable()
export class InviteClaims {
  constructor(
    private readonly invites: InviteRepository,
    private readonly users: UserRepository,
    private readonly events: EventLog,
    private readonly outbox: Outbox,
  ) {}

  async claim(
    manager: EntityManager,
    scope: Scope,
    { inviteHash, username, passwordHash }: Claim,
  ): Promise<Out<typeof acceptInvite>> {
    const invite = await this.invites.lockByHash(manager, inviteHash);
    if (invite === null || !isOpen(invite) || passwordHash === null) throw unusableInvite();
    await this.requireEntitledCreator(invite);
    const user = await this.users.create(own, manager, {
      username,
      role: invite.role,
      passwordHash,
    });
    await this.invites.claim(manager, invite.id, user.id);
    await this.events.record(
      manager,
      scope,
      "invite_accepted",
      { inviteId: invite.id, username, workspaceIds: invite.workspaceIds },
      user.id,
    );
    await this.outbox.add(
      manager,
      eventMessage(inviteAccepted, { userId: user.id, workspaceIds: invite.workspaceIds }),
    );
    return { success: true, error: null, userId: user.id, workspaceIds: invite.workspaceIds };
  }

  /** A link grants no role that its creator may no longer assign. */
  private async requireEntitledCreator({ role, createdBy }: Invite): Promise<void> {
    if (role === "default") return;
    const [creator] = createdBy === null ? [] : await this.users.findMany([createdBy]);
    if (creator === undefined || creator.suspended || creator.role === "default")
      throw unusableInvite();
  }
}
