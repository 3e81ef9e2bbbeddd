import {
  listDocumentCounts,
  listWorkspaceIds,
  readWorkspaceDocuments,
  type In,
  type Out,
} from "@carrel/contracts";
import { Handle, RequestClient, type RequestContext } from "@carrel/messaging";
import { Controller } from "@nestjs/common";
import { requireWorkspace } from "../document/workspace-scope.ts";
import { WorkspaceDocumentListing } from "./workspace-document.listing.ts";
import { WorkspaceDocumentReadRepository } from "./workspace-document-read.repository.ts";

/** What views of workspaces and sidebars show of documents. */
@Controller()
export class WorkspaceDocumentReadHandler {
  constructor(
    private readonly client: RequestClient,
    private readonly listing: WorkspaceDocumentListing,
    private readonly reads: WorkspaceDocumentReadRepository,
  ) {}

  @Handle(readWorkspaceDocuments)
  read(
    { after, documentIds }: In<typeof readWorkspaceDocuments>,
    { scope }: RequestContext,
  ): Promise<Out<typeof readWorkspaceDocuments>> {
    return this.reads.page(requireWorkspace(scope), after, documentIds ?? null);
  }

  @Handle(listDocumentCounts)
  async counts(
    _input: In<typeof listDocumentCounts>,
    { scope }: RequestContext,
  ): Promise<Out<typeof listDocumentCounts>> {
    const usable: number[] = [];
    // Paged because a reply between services is limited to 1 MB.
    for (let after: number | null = null; ;) {
      const page: Out<typeof listWorkspaceIds> = await this.client.request(
        listWorkspaceIds,
        { after },
        { scope },
      );
      usable.push(...page.ids);
      if (page.next === null) return { counts: await this.listing.count(scope, usable) };
      after = page.next;
    }
  }
}
