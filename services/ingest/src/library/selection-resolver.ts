import {
  CarrelError,
  resolveWorkspace,
  type DocumentSelection,
  type Scope,
} from "@carrel/contracts";
import { RequestClient } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import { queryOf, type DocumentQuery } from "./library-query.ts";

/** Turns selections of documents, as clients send them, into queries. */
@Injectable()
export class SelectionResolver {
  constructor(private readonly client: RequestClient) {}

  /** Resolves the workspace slugs in a selection. Throws WORKSPACE_NOT_FOUND. */
  async resolve(scope: Scope, selection: DocumentSelection): Promise<DocumentQuery> {
    const query = queryOf(selection);
    if (query.filter?.missingIn !== undefined)
      query.missingInId = await this.findWorkspace(scope, query.filter.missingIn);
    if (query.filter?.heldIn !== undefined)
      query.workspaceId = await this.findWorkspace(scope, query.filter.heldIn);
    return query;
  }

  private async findWorkspace(scope: Scope, slug: string): Promise<number> {
    const workspace = (
      await this.client.request(
        resolveWorkspace,
        { slug },
        { scope: { ...scope, workspace: null } },
      )
    ).scope.workspace;
    if (workspace === null) throw new CarrelError("workspace.not-found");
    return workspace.id;
  }
}
