import { Injectable } from "@nestjs/common";
import { RequestClient, WorkspaceOrphans } from "@carrel/messaging";
import { DeletionRepository } from "./deletion.repository.ts";

/** Deletes threads and memories of workspaces that no longer exist. */
@Injectable()
export class WorkspaceOrphanReconciler extends WorkspaceOrphans {
  constructor(
    private readonly deletions: DeletionRepository,
    requests: RequestClient,
  ) {
    super(requests);
  }

  protected override listWorkspaceIds(after: number, limit: number): Promise<number[]> {
    return this.deletions.listWorkspaceIds(after, limit);
  }
}
