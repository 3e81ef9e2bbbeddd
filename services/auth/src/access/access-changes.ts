import { accessChanged } from "@carrel/contracts";
import { Broadcast, eventMessage, Outbox } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import type { EntityManager } from "typeorm";

/**
 * Invalidates cached principals: of one user and of developer keys, which name no user, or of
 * everyone if no user is given.
 */
@Injectable()
export class AccessChanges {
  constructor(
    private readonly outbox: Outbox,
    private readonly broadcast: Broadcast,
  ) {}

  /** In the transaction that changes access, so that the invalidation cannot get lost. */
  async record(manager: EntityManager, userId?: number): Promise<void> {
    await this.outbox.add(manager, eventMessage(accessChanged, { userId }));
  }

  /** After the commit and before the reply, so that the change applies immediately. */
  async announce(userId?: number): Promise<void> {
    await this.broadcast.publishEvent(accessChanged, { userId });
  }
}
