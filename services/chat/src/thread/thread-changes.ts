import { threadsChanged, type EventPayload, type WorkspaceScope } from "@carrel/contracts";
import { Broadcast } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";

/** Maximum number of threads per message; sidebars reload their list anyway. */
const maxNamed = 100;

/**
 * Notifies the owner's other devices of threads created, deleted and restored. Without the outbox:
 * a lost message only costs a refresh.
 */
@Injectable()
export class ThreadChanges {
  constructor(private readonly broadcast: Broadcast) {}

  /** The default thread has no slug: it is named "". */
  announce(
    { workspace, principal }: WorkspaceScope,
    change: EventPayload<typeof threadsChanged>["change"],
    slugs: readonly string[],
  ): void {
    if (slugs.length === 0) return;
    // Not awaited: failures are logged by the broadcast.
    void this.broadcast.publishEvent(threadsChanged, {
      workspaceId: workspace.id,
      change,
      slugs: slugs.slice(0, maxNamed),
      userId: principal.userId,
    });
  }
}
