import { membersChanged } from "@carrel/contracts";
import { Broadcast, eventMessage, Outbox } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import type { EntityManager } from "typeorm";

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
