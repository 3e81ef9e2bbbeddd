import { servicePrincipal, workspaceDeleted } from "@carrel/contracts";
import { eventMessage, Reconciler, type OutboxMessage } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import { WorkspaceRepository } from "../workspace/workspace.repository.ts";

/** The first telling has had its time by then; the consumers are idempotent. */
const patienceMs = 60_000;

/**
 * Tells again of deletions that some service has not confirmed: what Redis lost or a service
 * missed.
 */
@Injectable()
export class TombstoneReconciler extends Reconciler {
  constructor(private readonly workspaces: WorkspaceRepository) {
    super();
  }

  override async due(): Promise<OutboxMessage[]> {
    const ids = await this.workspaces.listUnconfirmed(
      { principal: servicePrincipal, workspace: null },
      patienceMs,
    );
    return ids.map((workspaceId) => eventMessage(workspaceDeleted, { workspaceId }));
  }
}
