import {
  countContextTokens,
  getContextWindow,
  getWorkspace,
  readWorkspace,
  readWorkspaceDocuments,
  type Out,
  type Scope,
  type WorkspaceDetailWire,
} from "@carrel/contracts";
import { RequestClient } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import type { FastifyReply } from "fastify";
import { sendJson } from "../http/json-text.ts";
import { Route, type Call } from "../http/route.ts";
import { SharedReads } from "../http/shared-reads.ts";

/**
 * The complete view of a workspace (wire-contract 3.1): its row, its documents (ingest) and the
 * model's window (chat), requested in parallel.
 */
@Injectable()
export class WorkspaceView {
  private readonly reads = new SharedReads<string>();

  constructor(private readonly requests: RequestClient) {}

  @Route(getWorkspace)
  async get({ scope, reply }: Call<typeof getWorkspace>): Promise<FastifyReply> {
    return sendJson(reply, `{"workspace":${await this.readShared(scope)}}`);
  }

  async build(scope: Scope): Promise<WorkspaceDetailWire> {
    return JSON.parse(await this.readShared(scope)) as WorkspaceDetailWire;
  }

  private readShared({ principal, workspace }: Scope): Promise<string> {
    // The address is left out, so that reads of the same session are shared, whatever address they
    // come from.
    const scope: Scope = { principal, workspace };
    return this.reads.read(JSON.stringify(scope), () => this.read(scope));
  }

  private async read(scope: Scope): Promise<string> {
    const [{ workspace }, { items, hasFiles }, { contextWindow }] = await Promise.all([
      this.requests.request(readWorkspace, {}, { scope }),
      this.readDocuments(scope),
      this.requests.request(getContextWindow, {}, { scope }),
    ]);
    const { currentContextTokenCount } = hasFiles
      ? await this.requests.request(countContextTokens, {}, { scope })
      : { currentContextTokenCount: 0 };
    const more = `"documents":[${items}],"contextWindow":${contextWindow},"currentContextTokenCount":${currentContextTokenCount}`;
    return `${workspace.slice(0, -1)},${more}}`;
  }

  /** Reads all pages: existing clients have no paging here, but replies between services do. */
  private async readDocuments(scope: Scope): Promise<{ items: string; hasFiles: boolean }> {
    const items: string[] = [];
    for (let after: number | null = null; ;) {
      const page: Out<typeof readWorkspaceDocuments> = await this.requests.request(
        readWorkspaceDocuments,
        { after },
        { scope },
      );
      if (page.items !== "") items.push(page.items);
      if (page.next === null) return { items: items.join(","), hasFiles: page.hasFiles };
      after = page.next;
    }
  }
}
