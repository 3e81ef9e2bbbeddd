import {
  listAdminWorkspacePage,
  listAdminWorkspaces,
  listWorkspacePage,
  listWorkspaces,
  type Out,
  type Scope,
  type WorkspaceWire,
} from "@carrel/contracts";
import { RequestClient } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import { Route, type Call } from "../http/route.ts";
import { SharedReads } from "../http/shared-reads.ts";

/**
 * Lists the workspaces someone may use, however many and with prompts of any length: existing
 * clients have no paging here, but replies between services are limited.
 */
@Injectable()
export class WorkspaceList {
  private readonly reads = new SharedReads<WorkspaceWire[]>();

  constructor(private readonly requests: RequestClient) {}

  @Route(listWorkspaces)
  async list({ scope }: Call<typeof listWorkspaces>): Promise<Out<typeof listWorkspaces>> {
    return { workspaces: await this.read(scope) };
  }

  /** Includes the ids of their members. */
  @Route(listAdminWorkspaces)
  async listAll({
    scope,
  }: Call<typeof listAdminWorkspaces>): Promise<Out<typeof listAdminWorkspaces>> {
    const workspaces: Out<typeof listAdminWorkspaces>["workspaces"] = [];
    for (let after: number | null = null; ;) {
      const page: Out<typeof listAdminWorkspacePage> = await this.requests.request(
        listAdminWorkspacePage,
        { after },
        { scope },
      );
      workspaces.push(...page.workspaces);
      if (page.next === null) return { workspaces };
      after = page.next;
    }
  }

  read({ principal }: Scope): Promise<WorkspaceWire[]> {
    // The address is left out, so that the same session's reads are shared wherever they come from.
    const scope: Scope = { principal, workspace: null };
    return this.reads.read(JSON.stringify(scope), async () => {
      const workspaces: WorkspaceWire[] = [];
      let after: number | null = null;
      do {
        const page: Out<typeof listWorkspacePage> = await this.requests.request(
          listWorkspacePage,
          { after },
          { scope },
        );
        workspaces.push(...page.workspaces);
        after = page.next;
      } while (after !== null);
      return workspaces;
    });
  }
}
