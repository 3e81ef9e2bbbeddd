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
import { LRUCache } from "lru-cache";
import { WorkspaceFreshness, type ReadTime } from "../access/workspace-freshness.ts";
import { Route, type Call } from "../http/route.ts";
import { sendJson } from "../http/send-reply.ts";
import { SharedReads } from "../http/shared-reads.ts";

type Page = NonNullable<Out<typeof readWorkspacePage>["page"]>;

interface CachedPage {
  version: string;
  page: Page;
  readAt: ReadTime;
}

/** Characters of all cached pages, which take one or two bytes each. */
const cachedCharacters = 4_000_000;

/**
 * Lists the workspaces someone may use, however many and with prompts of any length: existing
 * clients have no paging here, but replies between services are limited.
 */
@Injectable()
export class WorkspaceList {
  private readonly reads = new SharedReads<string>();
  private readonly idReads = new SharedReads<number[]>();
  private readonly pages = new LRUCache<string, CachedPage>({
    maxSize: cachedCharacters,
    sizeCalculation: ({ page }) => page.items.length + 500,
  });

  constructor(
    private readonly requests: RequestClient,
    private readonly freshness: WorkspaceFreshness,
  ) {}

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
    // The address is left out, so that reads of the same session are shared, whatever address they
    // come from.
    const scope: Scope = { principal, workspace: null };
    const reader = JSON.stringify(scope);
    return this.reads.read(reader, async () => {
      const items: string[] = [];
      let after: number | null = null;
      do {
        const page: Page = await this.readPage(scope, reader, after);
        if (page.items !== "") items.push(page.items);
        after = page.next;
      } while (after !== null);
      return items.join(",");
    });
  }

  private async readPage(scope: Scope, reader: string, after: number | null): Promise<Page> {
    const key = after === null ? reader : `${reader} ${after}`;
    const known = this.pages.get(key);
    if (known !== undefined && this.freshness.isCurrent(known.readAt)) return known.page;
    const readAt = this.freshness.now();
    const { version, page: newPage } = await this.requests.request(
      readWorkspacePage,
      { after, knownVersion: known?.version ?? null },
      { scope },
    );
    // The workspace service omits only a page whose version it was given.
    const page = newPage ?? known!.page;
    this.pages.set(key, { version, page, readAt });
    return page;
  }
}
