import { findMissingWorkspaces, servicePrincipal, workspaceDeleted } from "@carrel/contracts";
import { eventMessage, type OutboxMessage } from "./outbox.ts";
import { Reconciler } from "./reconciler.ts";
import type { RequestClient } from "./request-client.ts";

/** Reconciler rounds between two comparisons: one a minute, so a day. */
const roundsBetween = 1_440;
/**
 * Waits for the other services to start; random, so that replicas started together don't all
 * compare at once.
 */
const firstRounds = (): number => 5 + Math.floor(Math.random() * 5);
/** IDs per request. */
const batch = 10_000;

/**
 * Once a day, deletes the data of workspaces that have no row any more, not even a tombstone, as if
 * their deletion had just been announced (docs/decisions/messaging.md). Only the workspace service
 * decides what is gone.
 */
export abstract class WorkspaceOrphans extends Reconciler {
  private roundsLeft = firstRounds();

  constructor(private readonly requests: RequestClient) {
    super();
  }

  /**
   * Returns the IDs above `after` of workspaces of which the service has data, in ascending order.
   */
  protected abstract listWorkspaceIds(after: number, limit: number): Promise<number[]>;

  override async due(): Promise<OutboxMessage[]> {
    if (this.roundsLeft-- > 0) return [];
    const orphans = await this.compare();
    this.roundsLeft = roundsBetween;
    return orphans.map((workspaceId) => eventMessage(workspaceDeleted, { workspaceId }));
  }

  /** Returns the IDs of deleted workspaces that still have data here. */
  async compare(): Promise<number[]> {
    const orphans: number[] = [];
    let after = 0;
    for (;;) {
      const ids = await this.listWorkspaceIds(after, batch);
      if (ids.length > 0)
        orphans.push(
          ...(
            await this.requests.request(
              findMissingWorkspaces,
              { ids },
              { scope: { principal: servicePrincipal, workspace: null } },
            )
          ).ids,
        );
      if (ids.length < batch) return orphans;
      after = ids.at(-1)!;
    }
  }
}
