import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { McpServerConfig } from "@carrel/contracts";
import { poll } from "@carrel/testing";
import { NodeStreamableHTTPServerTransport, toNodeHandler } from "@modelcontextprotocol/node";
import { Server as OldServer } from "@modelcontextprotocol/sdk/server/index.js";
import { SSEServerTransport } from "@modelcontextprotocol/sdk/server/sse.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { createMcpHandler } from "@modelcontextprotocol/server";
import { McpConnection, createTransports, toTool } from "../src/index.ts";
import { makeFixtureServer } from "./fixture-server.ts";

const servers: Server[] = [];
const open: McpConnection[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((connection) => connection.close()));
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

type Handler = NonNullable<Parameters<typeof createServer>[1]>;
async function serve(handler: Handler, port = 0): Promise<string> {
  const server = createServer(handler);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}

function connect(
  url: string,
  config: Partial<McpServerConfig & { kind: "address" }> = {},
  options: Partial<ConstructorParameters<typeof McpConnection>[0]> = {},
): McpConnection {
  const connection = new McpConnection({
    label: { name: "tickets", origin: new URL(url).origin, command: null },
    client: { name: "Carrel", version: "1" },
    transports: createTransports(
      { kind: "address", url, transport: "auto", headers: {}, ...config },
      { environment: {}, folder: "/tmp", content: null, auth: null },
    ),
    backOffMs: 50,
    ...options,
  });
  open.push(connection);
  return connection;
}

const run = (connection: McpConnection, name: string, input: unknown = {}) =>
  toTool(
    connection,
    connection.tools.find((tool) => tool.name === name)!,
    name,
    "x",
  ).run(input, {
    signal: new AbortController().signal,
    key: "k",
    nextSource: 1,
    progress: () => undefined,
    ask: () => Promise.resolve(["Oslo", "3", "Yes"]),
  });

/** A server of 2025, which keeps sessions in its memory. */
function sessions(transports = new Map<string, NodeStreamableHTTPServerTransport>()): Handler {
  return (request, response) => {
    const id = request.headers["mcp-session-id"];
    const known = transports.get(String(id));
    if (known !== undefined) return void known.handleRequest(request, response);
    if (id !== undefined) return void response.writeHead(404).end();
    const transport = new NodeStreamableHTTPServerTransport({
      sessionIdGenerator: () => crypto.randomUUID(),
      onsessioninitialized: (session) => void transports.set(session, transport),
    });
    void makeFixtureServer()
      .connect(transport)
      .then(() => transport.handleRequest(request, response));
  };
}

describe("an MCP server that is away", () => {
  const modern = (): Handler => toNodeHandler(createMcpHandler(() => makeFixtureServer()));
  const attempts = (connection: McpConnection): number =>
    connection.log.list().filter(({ text }) => text.startsWith("Not connected")).length;
  const stopAll = async (): Promise<void> => {
    for (const server of servers.splice(0)) {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  };

  it("is tried again and again once its connection was lost", async () => {
    const url = await serve(modern());
    const server = connect(url, {}, { backOffMs: 20 });
    await server.connect();
    await stopAll();
    await expect(run(server, "look", { query: "x" })).rejects.toMatchObject({
      fault: { code: "mcp.unreachable" },
    });
    await poll(() => attempts(server) >= 4).toBe(true);
    expect(server.state).not.toBe("failed");
    await serve(modern(), Number(new URL(url).port));
    await poll(() => server.state).toBe("connected");
  });

  it("is tried again at the start only if it is to stay connected", async () => {
    const url = await serve(modern());
    await stopAll();
    const [kept, other] = [true, false].map((staysConnected) =>
      connect(url, {}, { backOffMs: 20, staysConnected }),
    ) as [McpConnection, McpConnection];
    for (const each of [kept, other]) await expect(each.connect()).rejects.toThrow();
    await poll(() => attempts(kept) >= 3).toBe(true);
    await serve(modern(), Number(new URL(url).port));
    await poll(() => kept.state).toBe("connected");
    expect(other.state).toBe("failed");
    expect(attempts(other)).toBe(1);
  });
});

describe("an MCP server at an address", () => {
  it("is used over the newest protocol, with the stored headers", async () => {
    const seen = new Set<unknown>();
    const handle = toNodeHandler(createMcpHandler(() => makeFixtureServer()));
    const url = await serve((request, response) => {
      seen.add(request.headers.authorization);
      void handle(request, response);
    });
    const server = connect(url, { headers: { Authorization: "Bearer abc" } });
    await server.connect();
    expect(server.version).toBe("2026-07-28");
    expect((await run(server, "look", { query: "me" })).text).toBe("found me");
    expect((await run(server, "book")).text).toContain('"city":"Oslo","nights":3,"sure":true');
    expect([...seen]).toEqual(["Bearer abc"]);
    await expect(run(server, "too-huge")).rejects.toMatchObject({
      fault: { code: "mcp.reply-too-large" },
    });
  });

  it("of 2025 is used in a session, and in another one after it was started again", async () => {
    const url = await serve(sessions());
    const server = connect(url);
    await server.connect();
    expect(server.version).toBe("2025-11-25");
    expect((await run(server, "slow")).text).toBe("slowly done");
    expect((await run(server, "book")).text).toContain('"city":"Oslo","nights":3,"sure":true');
    const [before] = servers.splice(0);
    before!.closeAllConnections();
    await new Promise((resolve) => before!.close(resolve));
    await expect(run(server, "look", { query: "me" })).rejects.toMatchObject({
      fault: { code: "mcp.unreachable" },
    });
    const transports = new Map<string, NodeStreamableHTTPServerTransport>();
    await serve(sessions(transports), Number(new URL(url).port));
    await poll(() => server.state).toBe("connected");
    expect((await run(server, "look", { query: "me" })).text).toBe("found me");
    transports.clear();
    expect((await run(server, "look", { query: "again" })).text).toBe("found again");
  });

  it("of 2024 is used over SSE", async () => {
    const transports = new Map<string, SSEServerTransport>();
    const url = await serve((request, response) => {
      const { pathname, searchParams } = new URL(request.url!, "http://x");
      if (request.method === "POST" && pathname === "/message")
        return void transports
          .get(searchParams.get("sessionId")!)!
          .handlePostMessage(request, response);
      if (request.method !== "GET") return void response.writeHead(405).end();
      const transport = new SSEServerTransport("/message", response);
      transports.set(transport.sessionId, transport);
      const server = new OldServer({ name: "old", version: "1" }, { capabilities: { tools: {} } });
      server.setRequestHandler(ListToolsRequestSchema, () => ({
        tools: [{ name: "look", inputSchema: { type: "object" } }],
      }));
      server.setRequestHandler(CallToolRequestSchema, () => ({
        content: [{ type: "text", text: "old but good" }],
      }));
      void server.connect(transport);
    });
    for (const transport of ["auto", "sse"] as const) {
      const server = connect(url, { transport });
      await server.connect();
      expect((await run(server, "look")).text).toBe("old but good");
    }
  });

  it("fails clearly if it isn't there, wants a sign-in, redirects or is the cloud's own", async () => {
    const answer = async (
      status: number,
      headers: Record<string, string> = {},
    ): Promise<unknown> => {
      const url = await serve((_, response) => response.writeHead(status, headers).end());
      return connect(url)
        .connect()
        .catch((error: unknown) => (error as { fault: unknown }).fault);
    };
    expect(await answer(401)).toMatchObject({ code: "mcp.sign-in-required" });
    expect(await answer(503)).toMatchObject({ code: "mcp.refused", params: { status: 503 } });
    expect(await answer(302, { location: "https://example.com/" })).toMatchObject({
      code: "mcp.address-refused",
    });
    await expect(connect("http://127.0.0.1:9/mcp").connect()).rejects.toMatchObject({
      fault: { code: "mcp.unreachable" },
    });
    await expect(connect("http://169.254.169.254/mcp").connect()).rejects.toMatchObject({
      fault: { code: "mcp.address-refused" },
    });
  });
});
