import { findMissingWorkspaces, servicePrincipal, workspaceDeleted } from "@carrel/contracts";
import { eventMessage, type OutboxMessage } from "./outbox.ts";
import { Reconciler } from "./reconciler.ts";
import type { RequestClient } from "./request-client.ts";

/** Rounds of the reconciler, a minute each: a day. */
const roundsBetween = 1_440;
/**
 * After a start the other services come first; replicas that start together do not ask together.
 */
const firstRounds = (): number => 5 + Math.floor(Math.random() * 5);
/** Ids in one question. */
const batch = 10_000;

/**
 * The daily comparison (docs/decisions/messaging.md): what a service keeps of a workspace that has no row any
 * more, not even a tombstone,
 * goes as if the deletion were told just now. Who says what is gone is the workspace service alone.
 */
export abstract class WorkspaceOrphans extends Reconciler {
  private roundsLeft = firstRounds();

  constructor(private readonly requests: RequestClient) {
    super();
  }

  /** Ids of workspaces that the service keeps something of, above `after`, in order. */
  protected abstract listWorkspaceIds(after: number, limit: number): Promise<number[]>;

  override async due(): Promise<OutboxMessage[]> {
    if (this.roundsLeft-- > 0) return [];
    const orphans = await this.compare();
    this.roundsLeft = roundsBetween;
    return orphans.map((workspaceId) => eventMessage(workspaceDeleted, { workspaceId }));
  }

  /** Ids of workspaces that are gone and of which something is left here. */
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
