import { Injectable } from "@nestjs/common";
import { turnsChanged, type WorkspaceScope } from "@carrel/contracts";
import { Broadcast } from "@carrel/messaging";

/**
 * Tells the owner's other tabs and devices that turns of a thread were rewritten, rated, hidden,
 * deleted or switched. Without the outbox: a lost one costs a refresh.
 */
@Injectable()
export class TurnChanges {
  constructor(private readonly broadcast: Broadcast) {}

  tell({ workspace, principal }: WorkspaceScope, threadId: number): void {
    // Nobody waits for it: a failure is logged there.
    void this.broadcast.publishEvent(turnsChanged, {
      workspaceId: workspace.id,
      threadId,
      userId: principal.userId,
    });
  }
}
