import { workspaceUpdated } from "@carrel/contracts";
import { Broadcast, eventMessage, Outbox } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import type { EntityManager } from "typeorm";

/** That a workspace was changed: for certain by the outbox, and at once before the answer. */
@Injectable()
export class WorkspaceChanges {
  constructor(
    private readonly outbox: Outbox,
    private readonly broadcast: Broadcast,
  ) {}

  /** In the transaction of the change. */
  record(manager: EntityManager, workspaceId: number): Promise<void> {
    return this.outbox.add(manager, eventMessage(workspaceUpdated, { workspaceId }));
  }

  /** After its commit. */
  tell(workspaceId: number): Promise<void> {
    return this.broadcast.publishEvent(workspaceUpdated, { workspaceId });
  }
}
