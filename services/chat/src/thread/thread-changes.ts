import { Injectable } from "@nestjs/common";
import { threadsChanged, type EventPayload, type WorkspaceScope } from "@carrel/contracts";
import { Broadcast } from "@carrel/messaging";

/** So many are named in one message; sidebars read their list anew anyhow. */
const mostNamed = 100;

/**
 * Tells the owner's other devices which threads came, went and came back. Without the outbox: a
 * lost one costs a refresh.
 */
@Injectable()
export class ThreadChanges {
  constructor(private readonly broadcast: Broadcast) {}

  tell(
    { workspace, principal }: WorkspaceScope,
    change: EventPayload<typeof threadsChanged>["change"],
    slugs: readonly string[],
  ): void {
    if (slugs.length === 0) return;
    // Nobody waits for it: a failure is logged there.
    void this.broadcast.publishEvent(threadsChanged, {
      workspaceId: workspace.id,
      change,
      slugs: slugs.slice(0, mostNamed),
      userId: principal.userId,
    });
  }
}
