import { accessChanged } from "@carrel/contracts";
import { Broadcast, eventMessage, Outbox } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import type { EntityManager } from "typeorm";

/**
 * Invalidates cached principals: those of one user plus all developer keys, which carry no user, or
 * everyone's if no user is given.
 */
@Injectable()
export class AccessChanges {
  constructor(
    private readonly outbox: Outbox,
    private readonly broadcast: Broadcast,
  ) {}

  /** Call inside the transaction that changes access, so the invalidation cannot be lost. */
  async record(manager: EntityManager, userId?: number): Promise<void> {
    await this.outbox.add(manager, eventMessage(accessChanged, { userId }));
  }

  /** Call after the commit and before the reply, so the change takes effect immediately. */
  async announce(userId?: number): Promise<void> {
    await this.broadcast.invalidate(accessChanged, { userId });
  }
}
