import { Injectable } from "@nestjs/common";
import { findMissingWorkspaces, servicePrincipal, workspaceDeleted } from "@carrel/contracts";
import {
  eventMessage,
  OrphanReconciler,
  RequestClient,
  type OutboxMessage,
} from "@carrel/messaging";
import { DeletionRepository } from "./deletion.repository.ts";

/** Deletes threads and memories of workspaces that no longer exist. */
@Injectable()
export class WorkspaceOrphanReconciler extends OrphanReconciler {
  constructor(
    private readonly deletions: DeletionRepository,
    private readonly requests: RequestClient,
  ) {
    super();
  }

  protected override listIds(after: number, limit: number): Promise<number[]> {
    return this.deletions.listWorkspaceIds(after, limit);
  }

  protected override async findMissing(ids: number[]): Promise<number[]> {
    const scope = { principal: servicePrincipal, workspace: null };
    return (await this.requests.request(findMissingWorkspaces, { ids }, { scope })).ids;
  }

  protected override deletionOf(workspaceId: number): OutboxMessage {
    return eventMessage(workspaceDeleted, { workspaceId });
  }
}
