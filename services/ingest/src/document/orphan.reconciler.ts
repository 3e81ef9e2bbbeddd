import { servicePrincipal } from "@carrel/contracts";
import { RequestClient, WorkspaceOrphans } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import { WorkspaceDocumentRepository } from "./workspace-document.repository.ts";

/** Deletes the remains of deleted workspaces; the library keeps its documents. */
@Injectable()
export class OrphanReconciler extends WorkspaceOrphans {
  constructor(
    private readonly workspaceDocuments: WorkspaceDocumentRepository,
    requests: RequestClient,
  ) {
    super(requests);
  }

  protected override listWorkspaceIds(after: number, limit: number): Promise<number[]> {
    return this.workspaceDocuments.listWorkspaceIds(
      { principal: servicePrincipal, workspace: null },
      after,
      limit,
    );
  }
}
