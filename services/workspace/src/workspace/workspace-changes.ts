import { workspaceUpdated } from "@carrel/contracts";
import { Broadcast, eventMessage, Outbox } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import type { EntityManager } from "typeorm";

/**
 * Announces a changed workspace: reliably through the outbox, and by broadcast before the reply.
 */
@Injectable()
export class WorkspaceChanges {
  constructor(
    private readonly outbox: Outbox,
    private readonly broadcast: Broadcast,
  ) {}

  /** Call in the transaction of the change. */
  record(manager: EntityManager, workspaceId: number): Promise<void> {
    return this.outbox.add(manager, eventMessage(workspaceUpdated, { workspaceId }));
  }

  /** Call after the commit. */
  announce(workspaceId: number): Promise<void> {
    return this.broadcast.invalidate(workspaceUpdated, { workspaceId });
  }
}
