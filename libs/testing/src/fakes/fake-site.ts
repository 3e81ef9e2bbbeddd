import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";

export interface FakeSite {
  /** e.g. http://127.0.0.1:41234 ; a content client needs an allow-list to reach it. */
  url: string;
  port: number;
  /** Requested paths, in order. */
  requests: string[];
  stop(): Promise<void>;
}

export interface FakeSiteOptions {
  /** Path → page; overrides the built-in page of that path. */
  pages?: Record<string, { type: string; body: string | Buffer; status?: number }>;
}

const article =
  "<!doctype html><html><head><title>The lighthouse of Fernholt</title></head><body><nav>Home</nav><main><h1>The lighthouse of Fernholt</h1><p>The lighthouse of Fernholt was built in 1874.</p><p>Its keeper was Ada Marlow.</p></main></body></html>";

/**
 * A web site for testing links: /article (HTML), /redirect?to=<address>, /loop, /slow (never ends),
 * /drip (a byte now and then), /big?bytes=<n>, /bomb (100 MB, highly compressed), /binary, /empty,
 * /cut (breaks off), /error (500). Others are 404.
 */
export async function startFakeSite({ pages = {} }: FakeSiteOptions = {}): Promise<FakeSite> {
  const requests: string[] = [];
  const timers = new Set<NodeJS.Timeout>();
  const send = (
    response: ServerResponse,
    status: number,
    type: string,
    body: string | Buffer,
    headers: Record<string, string> = {},
  ) => {
    response.writeHead(status, { "content-type": type, ...headers }).end(body);
  };
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://site");
    requests.push(pathname);
    const page = pages[pathname];
    if (page) return send(response, page.status ?? 200, page.type, page.body);
    switch (pathname) {
      case "/article":
        return send(response, 200, "text/html; charset=utf-8", article);
      case "/redirect":
        return send(response, 302, "text/plain", "", {
          location: searchParams.get("to") ?? "/article",
        });
      case "/loop":
        return send(response, 302, "text/plain", "", { location: "/loop" });
      case "/slow":
        return undefined;
      case "/drip": {
        response.writeHead(200, { "content-type": "text/html" });
        const timer = setInterval(() => response.write("."), 50);
        timers.add(timer);
        return response.on("close", () => {
          clearInterval(timer);
          timers.delete(timer);
        });
      }
      case "/big":
        return send(
          response,
          200,
          "text/plain",
          Buffer.alloc(Number(searchParams.get("bytes") ?? 10_000_000), 0x61),
        );
      case "/bomb":
        return send(response, 200, "text/html", gzipSync(Buffer.alloc(100_000_000)), {
          "content-encoding": "gzip",
        });
      case "/binary":
        return send(response, 200, "application/octet-stream", Buffer.from([0, 1, 2, 3, 255, 254]));
      case "/empty":
        return send(response, 200, "text/html", "");
      case "/cut":
        response.writeHead(200, { "content-type": "text/html", "content-length": 10_000 });
        return response.write("<p>half", () => response.destroy());
      case "/error":
        return send(response, 500, "text/html", "<h1>Internal Server Error</h1>");
      default:
        return send(response, 404, "text/html", "<h1>Not Found</h1>");
    }
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    requests,
    stop: () =>
      new Promise<void>((resolve) => {
        for (const timer of timers) clearInterval(timer);
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
