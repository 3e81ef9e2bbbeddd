import { turnsChanged, type WorkspaceScope } from "@carrel/contracts";
import { Broadcast } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";

/**
 * Notifies the owner's other tabs and devices that turns of a thread were rewritten, rated, hidden,
 * deleted or switched. Without the outbox: a lost message only costs a refresh.
 */
@Injectable()
export class TurnChanges {
  constructor(private readonly broadcast: Broadcast) {}

  announce({ workspace, principal }: WorkspaceScope, threadId: number): void {
    // Not awaited: failures are logged by the broadcast.
    void this.broadcast.publishEvent(turnsChanged, {
      workspaceId: workspace.id,
      threadId,
      userId: principal.userId,
    });
  }
}
