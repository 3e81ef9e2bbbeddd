import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createContentClient, createProviderFetch, type ContentClient } from "@carrel/egress";
import type { FetchFor } from "./json-search.ts";

/** What a search engine received. */
export interface EngineCall {
  /** Of the engine, not of the server that stands in for it. */
  origin: string;
  method: string;
  path: string;
  params: Record<string, string>;
  headers: Record<string, unknown>;
  body: string;
}

export interface EngineReply {
  status?: number;
  headers?: Record<string, string>;
  /** Sent as JSON unless it is text; undefined: never answered. */
  body: unknown;
}

/** A server that answers in place of all search engines: requests to their origins end here. */
export class EngineServer {
  readonly calls: EngineCall[] = [];
  /** Answers in order; the last one is repeated. */
  replies: EngineReply[] = [];
  private readonly server = createServer((request, response) => {
    this.answer(request, response).catch(() => response.destroy());
  });

  async start(): Promise<void> {
    await new Promise<void>((done) => this.server.listen(0, "127.0.0.1", done));
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((done) => this.server.close(done));
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** In place of `createProviderFetch`. */
  readonly fetchFor: FetchFor = (origin) => {
    const own = createProviderFetch({ origin: this.origin });
    return (input, init = {}) => {
      const url = new URL(String(input));
      if (url.origin !== origin) throw new Error(`${url.origin} isn't ${origin}`);
      return own(`${this.origin}${url.pathname}${url.search}`, {
        ...init,
        headers: { ...(init.headers as Record<string, string>), "x-test-origin": origin },
      });
    };
  };

  /** In place of the client for pages. */
  get content(): ContentClient {
    const client = createContentClient({ allow: ["127.0.0.1"] });
    return {
      ...client,
      fetch: (address, init = {}) => {
        const { origin, pathname, search } = new URL(address);
        return client.fetch(`${this.origin}${pathname}${search}`, {
          ...init,
          headers: { ...init.headers, "x-test-origin": origin },
        });
      },
    };
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", "http://stand-in");
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    const { "x-test-origin": origin, ...headers } = request.headers;
    this.calls.push({
      origin: String(origin),
      method: request.method ?? "",
      path: url.pathname,
      params: Object.fromEntries(url.searchParams),
      headers,
      body: Buffer.concat(pieces).toString(),
    });
    const reply = this.replies.length > 1 ? this.replies.shift()! : this.replies[0]!;
    if (reply.body === undefined) return;
    const isText = typeof reply.body === "string";
    response.writeHead(reply.status ?? 200, {
      "content-type": isText ? "text/html" : "application/json",
      ...reply.headers,
    });
    response.end(isText ? reply.body : JSON.stringify(reply.body));
  }
}
