import {
  CarrelError,
  getDocumentText,
  getWorkspaceSettings,
  listDocumentStatuses,
  resolveWorkspace,
  searchPassages,
  startGeneration,
  type In,
  type Out,
} from "@carrel/contracts";
import type { RequestContext } from "@carrel/messaging";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import {
  people,
  startGatewayInstance,
  workspaceRow,
  type GatewayInstance,
} from "./gateway-instance.ts";

const documentId = "11111111-2222-4333-8444-555555555555";
const text = "The pump runs at 48 °C.";
const passage: Out<typeof searchPassages>["passages"][number] = {
  chunkId: "c1",
  documentId,
  docpath: "custom-documents/a.txt.json",
  title: "a.txt",
  text,
  start: 0,
  end: 23,
  page: 2,
  headingPath: ["Pumps"],
  rectangles: [],
  score: 0.75,
  denseScore: 0.75,
  textScore: null,
  url: "file://a.txt",
  docAuthor: "Eva",
  description: "none",
  docSource: "a file",
  chunkSource: "link://https://example.com/a",
  published: "1/1/2026",
  wordCount: 6,
  tokenCountEstimate: 9,
};
const { rectangles: _, tokenCountEstimate, chunkId, ...sourceFields } = passage;
const source = { ...sourceFields, id: chunkId, token_count_estimate: tokenCountEstimate };

const listed = (id: string): Out<typeof listDocumentStatuses>["documents"][number] => ({
  documentId: id,
  docpath: null,
  title: "a.txt",
  state: "embedded",
  reason: null,
  progress: 1,
  chunksDone: 1,
  chunksTotal: 1,
  bytes: 23,
  pages: 2,
  wordCount: 6,
  mime: "text/plain",
  addedAt: "2026-11-21T00:00:00.000Z",
  hasOriginal: true,
});

let instance: GatewayInstance;

beforeAll(async () => {
  instance = await startGatewayInstance();
  instance.principals
    .set("reader", { ...people.key!, keyId: 8, scopes: ["read"] })
    .set("restricted", { ...people.key!, keyId: 9, scopes: ["chat"], workspaceIds: [3] });
  instance.workspace
    .answer(getWorkspaceSettings, { workspace: workspaceRow(3) } as Out<
      typeof getWorkspaceSettings
    >)
    .answer(resolveWorkspace, ((
      { slug }: In<typeof resolveWorkspace>,
      { scope }: RequestContext,
    ) => {
      const { principal } = scope;
      const id = slug === "w3" ? 3 : slug === "w4" ? 4 : 0;
      const isAllowed = id > 0 && (principal.workspaceIds?.includes(id) ?? true);
      return { scope: { principal, workspace: isAllowed ? { id, slug } : null } };
    }) as never);
  instance.ingest
    .answer(searchPassages, {
      passages: [passage],
      searched: [],
      documentCount: 1,
      dense: true,
      milliseconds: 1,
      fallback: null,
      trace: null,
    })
    .answer(listDocumentStatuses, ({ cursor }: In<typeof listDocumentStatuses>) => ({
      documents: [listed(cursor === undefined ? documentId : documentId.replace("1", "9"))],
      total: 2,
      nextCursor: cursor === undefined ? "second" : null,
      passages: 1,
    }))
    .answer(getDocumentText, (input: In<typeof getDocumentText>) => {
      if (input.documentId !== documentId) throw new CarrelError("document.not-found");
      const end = Math.min(input.end ?? text.length, text.length);
      return {
        title: "a.txt",
        mime: "text/plain",
        text: text.slice(input.start, end),
        start: input.start,
        end,
        length: text.length,
        pages: 2,
        page: 2,
        lines: null,
        headingPath: [],
        rectangles: [],
        pageSize: null,
        originalUrl: null,
      };
    });
  instance.chat.answer(startGeneration, {
    generationId: null,
    chatId: 1,
    queued: false,
    frames: [
      {
        uuid: "u",
        type: "textResponseChunk",
        textResponse: "48 °C [1]",
        sources: [],
        close: false,
      },
      {
        uuid: "u",
        type: "textResponseChunk",
        textResponse: "",
        sources: [source],
        close: true,
      },
      { uuid: "u", type: "finalizeResponseStream", close: true, chatId: 1, metrics: {} },
    ],
  });
});
afterAll(() => instance?.stop());

async function withClient<T>(
  { key = "key", path = "", version }: { key?: string; path?: string; version?: string },
  run: (client: Client) => Promise<T>,
): Promise<T> {
  const client = new Client(
    { name: "test", version: "1.0.0" },
    version === undefined ? {} : { versionNegotiation: { mode: { pin: version } } },
  );
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${instance.url}/api/mcp${path}`), {
      requestInit: { headers: { authorization: `Bearer ${key}` } },
    }),
  );
  try {
    return await run(client);
  } finally {
    await client.close();
  }
}

const call = (
  name: string,
  args: Record<string, unknown>,
  options: Parameters<typeof withClient>[0] = {},
) => withClient(options, (client) => client.callTool({ name, arguments: args }));

describe("the MCP server", () => {
  it.each([undefined, "2026-07-28"])("serves its tools in version %s", async (version) => {
    await withClient(version === undefined ? {} : { version }, async (client) => {
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).toEqual([
        "list_workspaces",
        "search",
        "ask",
        "list_documents",
        "read_document",
      ]);
      expect(tools[1]).toMatchObject({
        annotations: { readOnlyHint: true },
        inputSchema: { required: ["workspace", "query"] },
      });
      expect(
        await client.callTool({ name: "search", arguments: { workspace: "w3", query: "pump" } }),
      ).toMatchObject({
        structuredContent: {
          passages: [
            {
              number: 1,
              title: "a.txt",
              text,
              score: 0.75,
              uri: `carrel://w3/${documentId}`,
              url: "https://example.com/a",
              page: 2,
            },
          ],
        },
      });
    });
  });

  it.each(["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"])(
    "agrees on version %s",
    async (protocolVersion) => {
      const clientInfo = { name: "test", version: "1.0.0" };
      const { text: reply } = await instance.call("POST", "/api/mcp", {
        bearer: "key",
        headers: { accept: "application/json, text/event-stream" },
        body: {
          jsonrpc: "2.0",
          id: 1,
          method: "initialize",
          params: { protocolVersion, capabilities: {}, clientInfo },
        },
      });
      expect(JSON.parse(/^data: (.+)$/m.exec(reply)![1]!)).toMatchObject({
        result: { protocolVersion, serverInfo: { name: "carrel" } },
      });
    },
  );

  it("answers questions with citations", async () => {
    expect(await call("ask", { workspace: "w3", question: "How hot?" })).toMatchObject({
      structuredContent: {
        answer: "48 °C [1]",
        citations: [{ number: 1, uri: `carrel://w3/${documentId}` }],
        conversation: expect.stringMatching(/^mcp-/),
        warning: null,
      },
    });
    expect(instance.chat.last(startGeneration)!.input).toMatchObject({
      message: "How hot?",
      conversation: { channel: "api" },
    });
  });

  it("lists and reads documents in parts", async () => {
    expect(await call("list_documents", { workspace: "w3" })).toMatchObject({
      structuredContent: { documents: [{ id: documentId }], total: 2, nextCursor: "second" },
    });
    expect(
      await call("read_document", { workspace: "w3", documentId, start: 4, length: 4 }),
    ).toMatchObject({ structuredContent: { text: "pump", nextStart: 8, totalLength: 23 } });
  });

  it("offers documents of all workspaces as resources", async () => {
    await withClient({}, async (client) => {
      const { resources } = await client.listResources();
      expect(resources.map(({ uri }) => uri.slice(0, 13))).toEqual([
        "carrel://w3/1",
        "carrel://w3/9",
        "carrel://w4/1",
        "carrel://w4/9",
      ]);
      expect((await client.listResourceTemplates()).resourceTemplates).toHaveLength(1);
      expect(await client.readResource({ uri: `carrel://w3/${documentId}` })).toMatchObject({
        contents: [{ text, mimeType: "text/plain" }],
      });
    });
  });

  it("needs no workspace argument at the address of one", async () => {
    await withClient({ path: "/w3" }, async (client) => {
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).not.toContain("list_workspaces");
      const found = await client.callTool({ name: "search", arguments: { query: "pump" } });
      expect(found.isError).toBeUndefined();
      await expect(client.readResource({ uri: `carrel://w4/${documentId}` })).rejects.toThrow(
        /not found/i,
      );
    });
  });

  it("keeps to the scopes and workspaces of the key", async () => {
    expect(
      await call("ask", { workspace: "w3", question: "How hot?" }, { key: "reader" }),
    ).toMatchObject({ isError: true, content: [{ text: expect.stringContaining("“chat”") }] });
    const restricted = { key: "restricted" };
    expect(await call("list_workspaces", {}, restricted)).toMatchObject({
      structuredContent: { workspaces: [{ slug: "w3", name: "W3" }] },
    });
    const foreign = await call("search", { workspace: "w4", query: "pump" }, restricted);
    expect(foreign.isError).toBe(true);
    expect(await call("search", { workspace: "w9", query: "pump" }, restricted)).toEqual(foreign);
  });

  it("reports faults without internals", async () => {
    instance.ingest.answer(searchPassages, () => {
      throw new Error("password=secret at /srv/carrel");
    });
    const failed = await call("search", { workspace: "w3", query: "pump" });
    expect(failed.isError).toBe(true);
    expect(JSON.stringify(failed)).not.toMatch(/secret|srv/);
  });

  it("tells clients without a key where its metadata is", async () => {
    const body = { jsonrpc: "2.0", id: 1, method: "ping" };
    const address = `${instance.url}/.well-known/oauth-protected-resource/api/mcp`;
    expect(await instance.call("POST", "/api/mcp", { body })).toMatchObject({
      status: 401,
      headers: { "www-authenticate": `Bearer resource_metadata="${address}"` },
    });
    expect(await instance.call("POST", "/api/mcp/w3", { body, bearer: "x" })).toMatchObject({
      status: 401,
      headers: {
        "www-authenticate": `Bearer resource_metadata="${address}/w3", error="invalid_token"`,
      },
    });
    for (const [path, resource] of [
      ["", "/api/mcp"],
      ["/api/mcp", "/api/mcp"],
      ["/api/mcp/w3", "/api/mcp/w3"],
    ] as const)
      expect(
        await instance.call("GET", `/.well-known/oauth-protected-resource${path}`),
      ).toMatchObject({ status: 200, json: { resource: instance.url + resource } });
  });

  it("refuses other methods, sites, hosts and large bodies", async () => {
    const bearer = "key";
    for (const method of ["GET", "DELETE"])
      expect(await instance.call(method, "/api/mcp", { bearer })).toMatchObject({
        status: 405,
        headers: { allow: "POST" },
      });
    const headers = { origin: "https://evil.example" };
    expect((await instance.call("POST", "/api/mcp", { bearer, headers, body: {} })).status).toBe(
      403,
    );
    expect(
      (await instance.call("POST", "/api/mcp", { bearer, body: " ".repeat(1_100_000) })).status,
    ).toBe(413);
  });
});
