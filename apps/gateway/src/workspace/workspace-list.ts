import {
  listAdminWorkspacePage,
  listAdminWorkspaces,
  listWorkspaceIds,
  listWorkspaces,
  readWorkspacePage,
  type Out,
  type Scope,
  type WorkspaceWire,
} from "@carrel/contracts";
import { RequestClient } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import type { FastifyReply } from "fastify";
import { sendJson } from "../http/json-text.ts";
import { Route, type Call } from "../http/route.ts";
import { SharedReads } from "../http/shared-reads.ts";

/**
 * Lists the workspaces someone may use, however many and with prompts of any length: existing
 * clients have no paging here, but replies between services are limited.
 */
@Injectable()
export class WorkspaceList {
  private readonly reads = new SharedReads<string>();
  private readonly idReads = new SharedReads<number[]>();

  constructor(private readonly requests: RequestClient) {}

  @Route(listWorkspaces)
  async list({ scope, reply }: Call<typeof listWorkspaces>): Promise<FastifyReply> {
    return sendJson(reply, `{"workspaces":[${await this.readItems(scope)}]}`);
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

  async read(scope: Scope): Promise<WorkspaceWire[]> {
    return JSON.parse(`[${await this.readItems(scope)}]`) as WorkspaceWire[];
  }

  listIds({ principal }: Scope): Promise<number[]> {
    const scope: Scope = { principal, workspace: null };
    return this.idReads.read(JSON.stringify(scope), async () => {
      const ids: number[] = [];
      for (let after: number | null = null; ;) {
        const page: Out<typeof listWorkspaceIds> = await this.requests.request(
          listWorkspaceIds,
          { after },
          { scope },
        );
        ids.push(...page.ids);
        if (page.next === null) return ids;
        after = page.next;
      }
    });
  }

  private readItems({ principal }: Scope): Promise<string> {
    // The address is left out, so that the same session's reads are shared wherever they come from.
    const scope: Scope = { principal, workspace: null };
    return this.reads.read(JSON.stringify(scope), async () => {
      const items: string[] = [];
      let after: number | null = null;
      do {
        const page: Out<typeof readWorkspacePage> = await this.requests.request(
          readWorkspacePage,
          { after },
          { scope },
        );
        if (page.items !== "") items.push(page.items);
        after = page.next;
      } while (after !== null);
      return items.join(",");
    });
  }
}
