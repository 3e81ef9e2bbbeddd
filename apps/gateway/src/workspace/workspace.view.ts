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
import { LRUCache } from "lru-cache";
import { WorkspaceFreshness, type ReadTime } from "../access/workspace-freshness.ts";
import { Route, type Call } from "../http/route.ts";
import { sendJson } from "../http/send-reply.ts";
import { SharedReads } from "../http/shared-reads.ts";

/** Characters of all cached workspaces, which take one or two bytes each. */
const cachedCharacters = 2_000_000;

interface CachedRow {
  json: string;
  /** undefined: not known for certain. */
  contextWindow: number | null | undefined;
  readAt: ReadTime;
}

/**
 * The complete view of a workspace (wire-contract 3.1): its row, its documents (ingest) and the
 * model's window (chat), requested in parallel.
 */
@Injectable()
export class WorkspaceView {
  private readonly reads = new SharedReads<string>();
  private readonly rows = new LRUCache<string, CachedRow>({
    maxSize: cachedCharacters,
    sizeCalculation: ({ json }) => json.length + 500,
  });

  constructor(
    private readonly requests: RequestClient,
    private readonly freshness: WorkspaceFreshness,
  ) {}

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
    const reader = JSON.stringify(scope);
    return this.reads.read(reader, () => this.read(scope, reader));
  }

  private async read(scope: Scope, reader: string): Promise<string> {
    const [{ json, contextWindow }, { items, hasFiles }] = await Promise.all([
      this.readRow(scope, reader),
      this.readDocuments(scope),
    ]);
    const { currentContextTokenCount } = hasFiles
      ? await this.requests.request(countContextTokens, {}, { scope })
      : { currentContextTokenCount: 0 };
    const more = `"documents":[${items}],"contextWindow":${contextWindow},"currentContextTokenCount":${currentContextTokenCount}`;
    return `${json.slice(0, -1)},${more}}`;
  }

  private async readRow(
    scope: Scope,
    reader: string,
  ): Promise<Pick<WorkspaceDetailWire, "contextWindow"> & { json: string }> {
    const cached = this.rows.get(reader);
    const known = cached && this.freshness.isCurrent(cached.readAt) ? cached : undefined;
    const readAt = this.freshness.now();
    const [json, contextWindow] = await Promise.all([
      known?.json ?? this.readWorkspace(scope),
      known?.contextWindow === undefined ? this.findContextWindow(scope) : known.contextWindow,
    ]);
    if (known === undefined)
      this.rows.set(reader, {
        json,
        // Chat answers from its cache of the settings.
        contextWindow: this.freshness.isSettled(readAt) ? contextWindow : undefined,
        readAt,
      });
    return { json, contextWindow };
  }

  private async readWorkspace(scope: Scope): Promise<string> {
    return (await this.requests.request(readWorkspace, {}, { scope })).workspace;
  }

  private async findContextWindow(scope: Scope): Promise<number | null> {
    return (await this.requests.request(getContextWindow, {}, { scope })).contextWindow;
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
