import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/*
 * A community hub as AnythingLLM's servers call one. Written from how its public repository
 * (github.com/Mintplex-Labs/anything-llm) reads the hub's replies: server/models/communityHub.js
 * for paths, headers and envelopes (/explore, /items, /<type>/<id>/pull, /<type>/create),
 * server/utils/agents/imported.js for bundles, and frontend/src/pages/GeneralSettings/CommunityHub
 * for the fields of items. The hub itself publishes no API definition and was never called.
 */

export interface FakeHubItem {
  id: string;
  itemType: string;
  [field: string]: unknown;
}

const listNames: Record<string, string> = {
  "agent-skill": "agentSkills",
  "system-prompt": "systemPrompts",
  "slash-command": "slashCommands",
  "agent-flow": "agentFlows",
};

export type HubAnswer = (request: IncomingMessage, response: ServerResponse) => void;

/** A hub on loopback; tests change its items, and what it answers. */
export class FakeHub {
  readonly items: FakeHubItem[] = [];
  /** Zip archives of agent skills, by ID. */
  readonly bundles = new Map<string, Buffer>();
  /** In place of its own answers, by path. */
  readonly answers = new Map<string, HubAnswer>();
  readonly requests: { path: string; authorization: string | null; body: unknown }[] = [];
  readonly published: unknown[] = [];
  key = "hub-key-1234567890-abcd";
  origin = "";
  private readonly server = createServer((request, response) => {
    void this.answer(request, response);
  });

  /** Of its API. */
  get address(): string {
    return `${this.origin}/v1`;
  }

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.server.listen(0, "127.0.0.1", resolve));
    this.origin = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
    return this;
  }

  reset(): void {
    this.items.length = 0;
    this.bundles.clear();
    this.answers.clear();
    this.requests.length = 0;
    this.published.length = 0;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = new URL(request.url!, this.origin).pathname;
    const pieces: Buffer[] = [];
    for await (const piece of request as AsyncIterable<Buffer>) pieces.push(piece);
    const text = Buffer.concat(pieces).toString("utf8");
    const { authorization = null } = request.headers;
    const body: unknown = text === "" ? null : JSON.parse(text);
    this.requests.push({ path, authorization, body });
    const own = this.answers.get(path);
    if (own !== undefined) own(request, response);
    else this.route(path.split("/").slice(1), authorization, body, response);
  }

  private route(
    [version, first = "", id = "", verb = ""]: string[],
    authorization: string | null,
    body: unknown,
    response: ServerResponse,
  ): void {
    const isOwn = authorization === `Bearer ${this.key}`;
    if (version === "bundles") {
      const bundle = this.bundles.get(first);
      response.writeHead(bundle === undefined ? 404 : 200, { "content-type": "application/zip" });
      response.end(bundle);
    } else if (version !== "v1") send(response, 404, { error: "Not found" });
    else if (first === "explore")
      send(
        response,
        200,
        this.lists(({ visibility }) => visibility !== "private"),
      );
    else if (first === "items")
      send(response, isOwn ? 200 : 401, isOwn ? this.own() : { error: "Invalid connection key" });
    else if (id === "create") {
      if (!isOwn) return send(response, 401, { error: "Invalid connection key" });
      this.published.push({ itemType: first, ...(body as object) });
      send(response, 200, { success: true, item: { id: `published${this.published.length}` } });
    } else if (verb === "pull") {
      const item = this.items.find((each) => each.id === id && each.itemType === first);
      if (item === undefined || (item.visibility === "private" && !isOwn))
        return send(response, 404, { item: null, url: null, error: "Item not found" });
      const url = this.bundles.has(id) ? `${this.origin}/bundles/${id}?signature=x` : null;
      send(response, 200, { item, url, error: null });
    } else send(response, 404, { error: "Not found" });
  }

  private lists(isShown: (item: FakeHubItem) => boolean): Record<string, unknown> {
    const lists: Record<string, unknown> = {};
    for (const [type, name] of Object.entries(listNames)) {
      const items = this.items.filter((item) => item.itemType === type && isShown(item));
      lists[name] = { items, hasMore: false, totalCount: items.length };
    }
    return lists;
  }

  private own(): unknown {
    return {
      createdByMe: this.lists(({ creatorUsername }) => creatorUsername === "me"),
      teamItems: [
        {
          teamId: "team1",
          teamName: "Harbour House",
          items: this.lists(({ visibility }) => visibility === "private"),
        },
      ],
    };
  }
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}
