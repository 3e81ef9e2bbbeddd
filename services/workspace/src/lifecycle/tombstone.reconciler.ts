import { servicePrincipal, workspaceDeleted } from "@carrel/contracts";
import { eventMessage, Reconciler, type OutboxMessage } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import { WorkspaceRepository } from "../workspace/workspace.repository.ts";

/** Long enough for the first event to be handled; the consumers are idempotent. */
const graceMs = 60_000;

/**
 * Resends deletions that a service hasn't confirmed, because Redis lost the event or the service
 * missed it.
 */
@Injectable()
export class TombstoneReconciler extends Reconciler {
  constructor(private readonly workspaces: WorkspaceRepository) {
    super();
  }

  override async due(): Promise<OutboxMessage[]> {
    const ids = await this.workspaces.listUnconfirmed(
      { principal: servicePrincipal, workspace: null },
      graceMs,
    );
    return ids.map((workspaceId) => eventMessage(workspaceDeleted, { workspaceId }));
  }
}
