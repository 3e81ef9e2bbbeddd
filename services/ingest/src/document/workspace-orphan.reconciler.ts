import { findMissingWorkspaces, servicePrincipal, workspaceDeleted } from "@carrel/contracts";
import {
  eventMessage,
  OrphanReconciler,
  RequestClient,
  type OutboxMessage,
} from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import { WorkspaceDocumentRepository } from "./workspace-document.repository.ts";

const scope = { principal: servicePrincipal, workspace: null };

/** Deletes the remains of deleted workspaces; the library keeps its documents. */
@Injectable()
export class WorkspaceOrphanReconciler extends OrphanReconciler {
  constructor(
    private readonly workspaceDocuments: WorkspaceDocumentRepository,
    private readonly requests: RequestClient,
  ) {
    super();
  }

  protected override listIds(after: number, limit: number): Promise<number[]> {
    return this.workspaceDocuments.listWorkspaceIds(scope, after, limit);
  }

  protected override async findMissing(ids: number[]): Promise<number[]> {
    return (await this.requests.request(findMissingWorkspaces, { ids }, { scope })).ids;
  }

  protected override deletionOf(workspaceId: number): OutboxMessage {
    return eventMessage(workspaceDeleted, { workspaceId });
  }
}
