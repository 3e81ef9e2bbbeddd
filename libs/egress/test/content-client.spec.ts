import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { brotliCompressSync, gzipSync, zstdCompressSync } from "node:zlib";
import {
  createContentClient,
  EgressError,
  type ContentClientOptions,
  type ResolvedAddress,
} from "@carrel/egress";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";

let server: Server;
let port: number;
let routes: Record<string, RequestListener> = {};
let seen: IncomingMessage[] = [];
/**
 * `site.test` is the loopback server, which the allow-list permits; a test sets what other names
 * resolve to.
 */
let resolve: (host: string) => Promise<ResolvedAddress[]>;

beforeAll(async () => {
  server = createServer((request, response) => {
    seen.push(request);
    const route = routes[request.url!.split("?")[0]!];
    if (route) void route(request, response);
    else response.writeHead(404).end("nothing");
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  port = (server.address() as AddressInfo).port;
});
afterAll(
  () =>
    new Promise<void>((done) => {
      server.closeAllConnections();
      server.close(() => done());
    }),
);
beforeEach(() => {
  seen = [];
  routes = {};
  resolve = async () => [{ address: "127.0.0.1", family: 4 }];
});
const client = (options: ContentClientOptions = {}) =>
  createContentClient({
    allow: ["site.test"],
    resolve: (host) => resolve(host),
    timeoutMs: 20_000,
    ...options,
  });
const at = (path: string, host = "site.test") => `http://${host}:${port}${path}`;
const refusal = (reason: string) => expect.objectContaining({ name: "EgressError", reason });

it("fetches a page with its final address, type and bytes", async () => {
  routes["/a"] = (_request, response) => {
    response.writeHead(200, { "content-type": "Text/HTML; charset=utf-8" }).end("<p>hällo</p>");
  };
  const page = await client().fetch(at("/a?x=1#part"));
  expect(page).toMatchObject({ url: at("/a?x=1"), status: 200, mime: "text/html" });
  expect(page.body.toString()).toBe("<p>hällo</p>");
  expect(seen[0]!.headers.host).toBe(`site.test:${port}`);
});

it("returns a status other than 200 as a response, and a missing type as null", async () => {
  expect(await client().fetch(at("/gone"))).toMatchObject({ status: 404, mime: null });
});

it.each([
  ["gzip", gzipSync],
  ["br", brotliCompressSync],
  ["zstd", zstdCompressSync],
] as const)("decompresses %s", async (encoding, pack) => {
  routes["/packed"] = (_request, response) => {
    response
      .writeHead(200, { "content-encoding": encoding })
      .end(pack("a long text ".repeat(1_000)));
  };
  expect((await client().fetch(at("/packed"))).body.toString()).toBe("a long text ".repeat(1_000));
});

describe("addresses", () => {
  it("refuses the same server without the allow-list and sends nothing to it", async () => {
    await expect(client({ allow: [] }).fetch(at("/"))).rejects.toEqual(refusal("refused"));
    expect(seen).toHaveLength(0);
  });

  it("connects to the checked addresses without asking the resolver again", async () => {
    routes["/"] = (_request, response) => {
      response.end("ok");
    };
    let asked = 0;
    resolve = async () => [{ address: ++asked === 1 ? "127.0.0.1" : "10.9.9.9", family: 4 }];
    expect((await client().fetch(at("/"))).status).toBe(200);
    expect(asked).toBe(1);
  });

  it("says whether a reply may come from a public address", async () => {
    const read = async (): Promise<boolean> => {
      const { isPublic, body } = await client().open(at("/gone"));
      body.destroy();
      return isPublic;
    };
    expect(await read()).toBe(false);
    // The first one answers.
    resolve = async () => [
      { address: "127.0.0.1", family: 4 },
      { address: "1.1.1.1", family: 4 },
    ];
    expect(await read()).toBe(true);
  });

  it("allows names that resolve into an allowed range", async () => {
    routes["/"] = (_request, response) => {
      response.end("ok");
    };
    expect((await client({ allow: ["127.0.0.0/8"] }).fetch(at("/", "any.test"))).status).toBe(200);
    resolve = async () => [
      { address: "127.0.0.1", family: 4 },
      { address: "10.0.0.1", family: 4 },
    ];
    await expect(client({ allow: ["127.0.0.0/8"] }).fetch(at("/", "any.test"))).rejects.toEqual(
      refusal("refused"),
    );
  });

  it("refuses metadata addresses even for an allowed host", async () => {
    resolve = async () => [{ address: "169.254.169.254", family: 4 }];
    await expect(client().fetch("http://site.test/")).rejects.toEqual(refusal("refused"));
  });

  it("reports an unknown name, a closed port and a server without HTTPS as unreachable", async () => {
    resolve = async () => {
      throw Object.assign(new Error("x"), { code: "ENOTFOUND" });
    };
    await expect(client().fetch("http://nowhere.test/")).rejects.toEqual(refusal("unreachable"));
    resolve = async () => [{ address: "127.0.0.1", family: 4 }];
    await expect(client().fetch("http://site.test:2/")).rejects.toMatchObject({
      reason: "unreachable",
      fault: { code: "egress.unreachable", params: { host: "http://site.test:2" } },
    });
    await expect(client().fetch(at("/").replace("http:", "https:"))).rejects.toMatchObject({
      fault: { code: "egress.without-https", params: { host: at("").replace("http:", "https:") } },
    });
  });

  it("times out when the resolver never answers", async () => {
    resolve = () => new Promise(() => undefined);
    await expect(client({ timeoutMs: 200 }).fetch(at("/"))).rejects.toEqual(refusal("timeout"));
  });
});

describe("redirects", () => {
  it("are followed, including relative ones, without sending one origin's headers to another", async () => {
    routes["/one"] = (_request, response) => {
      response.writeHead(302, { location: "/two" }).end();
    };
    routes["/two"] = (_request, response) => {
      response.writeHead(307, { location: `http://other.test:${port}/three` }).end();
    };
    routes["/three"] = (_request, response) => {
      response.end("there");
    };
    const page = await client({ allow: ["site.test", "other.test"] }).fetch(at("/one"), {
      headers: { authorization: "Bearer mine" },
    });
    expect(page.url).toBe(`http://other.test:${port}/three`);
    expect(seen.map((request) => request.headers.authorization)).toEqual([
      "Bearer mine",
      "Bearer mine",
      undefined,
    ]);
  });

  it.each([
    "http://127.0.0.1/",
    "http://[::1]/",
    "http://10.0.0.1/",
    "http://169.254.169.254/latest",
    "http://2130706433/",
    "http://[::ffff:a00:1]/",
    "http://private.test/",
    "http://localhost:1/",
  ])("to %s are refused", async (location) => {
    routes["/"] = (_request, response) => {
      response.writeHead(301, { location }).end();
    };
    resolve = async (host) => [
      { address: host === "private.test" ? "192.168.0.5" : "127.0.0.1", family: 4 },
    ];
    await expect(client().fetch(at("/"))).rejects.toEqual(refusal("refused"));
  });

  it.each(["file:///etc/passwd", "ftp://site.test/", "http://user:pw@site.test/", "http://["])(
    "to %s are invalid",
    async (location) => {
      routes["/"] = (_request, response) => {
        response.writeHead(301, { location }).end();
      };
      await expect(client().fetch(at("/"))).rejects.toEqual(refusal("bad-url"));
    },
  );

  it("stop after the limit", async () => {
    routes["/"] = (_request, response) => {
      response.writeHead(302, { location: "/" }).end();
    };
    await expect(client({ maxRedirects: 3 }).fetch(at("/"))).rejects.toEqual(refusal("refused"));
    expect(seen).toHaveLength(4);
  });
});

describe("limits", () => {
  it("rejects a page whose declared length is too large without reading it", async () => {
    routes["/"] = (_request, response) => {
      response.writeHead(200, { "content-length": 5_000_000 }).write("x");
    };
    await expect(client({ maxBytes: 1_000_000 }).fetch(at("/"))).rejects.toEqual(
      refusal("too-large"),
    );
  });

  it("cuts off a page that is too large without declaring it", async () => {
    let sent = 0;
    routes["/"] = (_request, response) => {
      const more = () => {
        while (!response.destroyed && sent < 100_000_000) {
          sent += 65_536;
          if (!response.write(Buffer.alloc(65_536))) {
            response.once("drain", more);
            return;
          }
        }
      };
      more();
    };
    await expect(client({ maxBytes: 1_000_000 }).fetch(at("/"))).rejects.toEqual(
      refusal("too-large"),
    );
    expect(sent).toBeLessThan(20_000_000);
  });

  it("stops a gzip bomb while decompressing", async () => {
    const bomb = gzipSync(Buffer.alloc(100_000_000));
    expect(bomb.length).toBeLessThan(200_000);
    routes["/"] = (_request, response) => {
      response.writeHead(200, { "content-encoding": "gzip" }).end(bomb);
    };
    const before = process.memoryUsage().arrayBuffers;
    await expect(client({ maxBytes: 2_000_000 }).fetch(at("/"))).rejects.toEqual(
      refusal("too-large"),
    );
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(30_000_000);
  });

  it("reports triple gzip, an unknown encoding and broken bytes as a broken response", async () => {
    routes["/thrice"] = (_request, response) => {
      response
        .writeHead(200, { "content-encoding": "gzip, gzip, gzip" })
        .end(gzipSync(gzipSync(gzipSync("x"))));
    };
    routes["/odd"] = (_request, response) => {
      response.writeHead(200, { "content-encoding": "lzma" }).end("x");
    };
    routes["/broken"] = (_request, response) => {
      response.writeHead(200, { "content-encoding": "gzip" }).end("this is not gzip");
    };
    for (const path of ["/thrice", "/odd", "/broken"])
      await expect(client().fetch(at(path))).rejects.toEqual(refusal("unreachable"));
  });

  it("times out on a slow drip, however active it looks", async () => {
    routes["/"] = (_request, response) => {
      const timer = setInterval(() => response.write("."), 50);
      response.on("close", () => clearInterval(timer));
    };
    const started = performance.now();
    await expect(client({ timeoutMs: 600 }).fetch(at("/"))).rejects.toEqual(refusal("timeout"));
    expect(performance.now() - started).toBeLessThan(10_000);
  });

  it("times out on silence and reports a broken connection as unreachable", async () => {
    routes["/silent"] = () => undefined;
    routes["/cut"] = (_request, response) => {
      response.writeHead(200, { "content-length": 100 });
      response.write("half", () => response.destroy());
    };
    await expect(client({ timeoutMs: 400 }).fetch(at("/silent"))).rejects.toEqual(
      refusal("timeout"),
    );
    await expect(client().fetch(at("/cut"))).rejects.toEqual(refusal("unreachable"));
  });

  it("rethrows the caller's own abort reason", async () => {
    routes["/"] = () => undefined;
    const mine = new Error("enough");
    const controller = new AbortController();
    setTimeout(() => controller.abort(mine), 50);
    await expect(client().fetch(at("/"), { signal: controller.signal })).rejects.toBe(mine);
  });
});

describe("open", () => {
  it("streams with the redirects' headers and fails at the limit", async () => {
    routes["/from"] = (_request, response) => {
      response.writeHead(302, { location: "/big", "x-mark": "here" }).end();
    };
    routes["/big"] = (request, response) => {
      expect(request.headers["accept-encoding"]).toBe("identity");
      response.end(Buffer.alloc(3_000_000, 1));
    };
    const reply = await client().open(at("/from"));
    expect(reply.redirects[0]!.get("x-mark")).toBe("here");
    expect(await buffer(reply.body)).toHaveLength(3_000_000);
    routes["/endless"] = (_request, response) => {
      response.write(Buffer.alloc(3_000_000));
    };
    const cut = await client({ maxBytes: 1_000_000 }).open(at("/endless"));
    await expect(buffer(cut.body)).rejects.toBeInstanceOf(EgressError);
  });

  it("decompresses as it streams, and stops a bomb at the limit", async () => {
    const text = "a long text ".repeat(10_000);
    routes["/packed"] = (_request, response) => {
      response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(text));
    };
    routes["/broken"] = (_request, response) => {
      response.writeHead(200, { "content-encoding": "gzip" }).end("no gzip");
    };
    const open = (path: string, maxBytes = 1_000_000) =>
      client().open(at(path), { decompress: true, maxBytes });
    expect((await buffer((await open("/packed")).body)).toString()).toBe(text);
    expect(seen[0]!.headers["accept-encoding"]).toBe("gzip, deflate, br, zstd");
    await expect(open("/packed", 10_000).then(({ body }) => buffer(body))).rejects.toEqual(
      refusal("too-large"),
    );
    await expect(open("/broken").then(({ body }) => buffer(body))).rejects.toEqual(
      refusal("unreachable"),
    );
  });

  it("leaves it to the caller which redirects are followed", async () => {
    routes["/from"] = (_request, response) => {
      response.writeHead(302, { location: "/private" }).end();
    };
    const targets: string[] = [];
    const reply = await client().open(at("/from"), {
      mayFollow: async ({ pathname }) => {
        targets.push(pathname);
        return false;
      },
    });
    reply.body.destroy();
    expect([reply.status, reply.url, targets]).toEqual([302, at("/from"), ["/private"]]);
    expect(seen.map(({ url }) => url)).toEqual(["/from"]);
  });
});

describe("requests with a body", () => {
  const echo: RequestListener = async (request, response) => {
    const body = await buffer(request);
    response.end(`${request.method} ${body.toString()}`);
  };
  const to =
    (location: string, status: number): RequestListener =>
    (_request, response) =>
      void response.writeHead(status, { location }).end();

  it("sends the method and body, again only where the server keeps them", async () => {
    Object.assign(routes, {
      "/echo": echo,
      "/kept": to("/echo", 307),
      "/seen": to("/echo", 302),
      "/away": to(at("/echo", "other.test"), 308),
    });
    const ask = (path: string, method: "POST" | "PROPFIND") =>
      client({ allow: ["127.0.0.0/8"] })
        .fetch(at(path), { method, body: "query" })
        .then((reply) => reply.body.toString());
    expect(await ask("/echo", "PROPFIND")).toBe("PROPFIND query");
    expect(await ask("/kept", "POST")).toBe("POST query");
    expect(await ask("/seen", "PROPFIND")).toBe("PROPFIND query");
    expect(await ask("/seen", "POST")).toBe("GET ");
    await expect(ask("/away", "POST")).rejects.toEqual(refusal("refused"));
    expect(seen.filter(({ headers }) => headers.host?.startsWith("other"))).toEqual([]);
  });

  it("uses a request's own size limit", async () => {
    routes["/large"] = (_request, response) => void response.end("x".repeat(2_000));
    const small = client({ maxBytes: 1_000 });
    await expect(small.fetch(at("/large"))).rejects.toEqual(refusal("too-large"));
    const { body } = await small.open(at("/large"), { maxBytes: 3_000 });
    expect(await buffer(body)).toHaveLength(2_000);
  });
});
