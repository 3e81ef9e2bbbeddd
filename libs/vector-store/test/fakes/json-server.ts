import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";

export interface JsonCall {
  method: string;
  /** Without the query, decoded. */
  path: string;
  query: URLSearchParams;
  headers: NodeJS.Dict<string | string[]>;
  body: unknown;
}
export interface JsonReply {
  status?: number;
  body: unknown;
}

/**
 * A JSON server on a loopback port. An error thrown by the handler becomes a 400 with its message.
 */
export async function serveJson(
  handle: (call: JsonCall) => JsonReply | Promise<JsonReply>,
): Promise<{ url: string; calls: JsonCall[]; stop(): Promise<void> }> {
  const calls: JsonCall[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      const url = new URL(request.url ?? "/", "http://fake");
      let reply: JsonReply;
      try {
        const hasBody =
          Number(request.headers["content-length"] ?? 0) > 0 ||
          request.headers["transfer-encoding"] !== undefined;
        const call: JsonCall = {
          method: request.method ?? "",
          path: decodeURIComponent(url.pathname),
          query: url.searchParams,
          headers: request.headers,
          body: hasBody ? await json(request) : undefined,
        };
        calls.push(call);
        reply = await handle(call);
      } catch (fault) {
        reply = {
          status: 400,
          body: { message: fault instanceof Error ? fault.message : String(fault) },
        };
      }
      response
        .writeHead(reply.status ?? 200, { "content-type": "application/json" })
        .end(reply.body === undefined ? "" : JSON.stringify(reply.body));
    })();
  });
  server.keepAliveTimeout = 120_000;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
