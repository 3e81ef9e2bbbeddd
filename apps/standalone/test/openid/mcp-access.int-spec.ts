import { searchPassages, startGeneration } from "@carrel/contracts";
import {
  freePort,
  poll,
  startOpenIdProvider,
  TestBrowser,
  type TestOpenIdProvider,
} from "@carrel/testing";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import {
  Client,
  StreamableHTTPClientTransport,
  UnauthorizedError,
  type OAuthClientProvider,
} from "@modelcontextprotocol/client";
import { startTestInstance, type TestInstance } from "../wire/instance.ts";

const redirectUrl = "http://127.0.0.1:9/mcp-client";
const password = "a password of the tests";
let provider: TestOpenIdProvider;
let instance: TestInstance;
let resource: string;
let userIds: Record<string, number>;

/** A new account, as its first sign-in through the provider makes it. */
async function signIn(login: string): Promise<void> {
  const browser = new TestBrowser();
  const begun = await browser.get(`${instance.url}/api/auth/openid/start`);
  const back = await browser.signInAtProvider(begun.headers.get("location")!, login);
  expect((await browser.get(back)).headers.get("location")).toContain("token=");
}

beforeAll(async () => {
  provider = await startOpenIdProvider({
    people: {
      mia: { preferred_username: "mia" },
      ben: { preferred_username: "ben" },
      stranger: { preferred_username: "stranger" },
    },
  });
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  resource = `${url}/api/mcp`;
  instance = await startTestInstance({
    ...provider.environment,
    CARREL_PORT: String(port),
    CARREL_PUBLIC_URL: url,
    CARREL_MCP_OAUTH: "1",
  });
  provider.redirectUris.add(`${url}/api/auth/openid/callback`).add(redirectUrl);
  provider.resources
    .set(resource, "carrel:read carrel:chat")
    .set(`${resource}/mias`, "carrel:read carrel:chat")
    .set("https://other.example/api/mcp", "carrel:read carrel:chat");
});
afterAll(async () => {
  await instance?.stop();
  await provider?.stop();
});

const ping = { jsonrpc: "2.0", id: 1, method: "ping", params: {} };
const post = (path: string, token?: string, body: unknown = ping) =>
  instance.call("POST", `/api/mcp${path}`, body, {
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  });
const metadata = async (path: string): Promise<unknown> =>
  (await instance.call("GET", `/.well-known/oauth-protected-resource/api/mcp${path}`)).json;

/** An access token that the provider would issue, and what makes it another one. */
function accessToken(sub: string, changes: Record<string, unknown> = {}): string {
  const iat = Math.floor(Date.now() / 1000);
  return provider.signToken(
    {
      iss: provider.url,
      sub,
      aud: resource,
      iat,
      exp: iat + 300,
      scope: "carrel:read carrel:chat",
      ...changes,
    },
    "own",
    { typ: "at+jwt" },
  );
}

/** The official client, which discovers the authorization server and signs in on its own. */
async function connect(login: string, path = ""): Promise<{ client: Client; asked: URL }> {
  const kept: { verifier?: string; tokens?: never; asked?: URL; server?: never } = {};
  const authProvider: OAuthClientProvider = {
    redirectUrl,
    clientMetadata: { redirect_uris: [redirectUrl] },
    clientInformation: () => ({ client_id: provider.mcpClientId }),
    tokens: () => kept.tokens,
    saveTokens: (tokens) => void (kept.tokens = tokens as never),
    redirectToAuthorization: (address) => void (kept.asked = address),
    saveCodeVerifier: (verifier) => void (kept.verifier = verifier),
    codeVerifier: () => kept.verifier!,
    saveDiscoveryState: (server) => void (kept.server = server as never),
    discoveryState: () => kept.server,
  };
  const open = () => new StreamableHTTPClientTransport(new URL(resource + path), { authProvider });
  const make = () => new Client({ name: "test", version: "1.0.0" });
  const first = open();
  await expect(make().connect(first)).rejects.toThrow(UnauthorizedError);
  const back = new URL(await new TestBrowser().signInAtProvider(kept.asked!.href, login));
  await first.finishAuth(back.searchParams);
  const client = make();
  await client.connect(open());
  return { client, asked: kept.asked! };
}

describe("an instance without accounts", () => {
  it("names no authorization server and takes no access token", async () => {
    expect(await metadata("")).not.toHaveProperty("authorization_servers");
    expect(await post("", accessToken("mia"))).toMatchObject({ status: 401 });
  });
});

describe("the MCP server with access tokens", () => {
  let admin: Record<string, string>;
  beforeAll(async () => {
    await instance.call("POST", "/api/system/enable-multi-user", {
      username: "the-admin",
      password,
    });
    const { json } = await instance.call("POST", "/api/request-token", {
      username: "the-admin",
      password,
    });
    admin = { authorization: `Bearer ${(json as { token: string }).token}` };
    for (const login of ["mia", "ben"]) await signIn(login);
    const { json: listed } = await instance.call("GET", "/api/admin/users", undefined, admin);
    userIds = Object.fromEntries(
      (listed as { users: { id: number; username: string }[] }).users.map((user) => [
        user.username,
        user.id,
      ]),
    );
    for (const [name, members] of [
      ["Mias", ["mia"]],
      ["Bens", ["ben"]],
      ["Both", ["mia", "ben"]],
    ] as const) {
      const made = await instance.call("POST", "/api/workspace/new", { name }, admin);
      const { id } = (made.json as { workspace: { id: number } }).workspace;
      await instance.call(
        "POST",
        `/api/admin/workspaces/${id}/update-users`,
        { userIds: members.map((member) => userIds[member]) },
        admin,
      );
    }
    instance.ingest.answer(searchPassages, {
      passages: [],
      searched: [],
      documentCount: 0,
      dense: true,
      milliseconds: 1,
      fallback: null,
      trace: null,
    });
    instance.chat.answer(startGeneration, {
      generationId: null,
      chatId: 1,
      queued: false,
      frames: [
        {
          uuid: "u",
          type: "textResponseChunk",
          textResponse: "48 °C",
          sources: [],
          close: true,
        },
        { uuid: "u", type: "finalizeResponseStream", close: true, chatId: 1, metrics: {} },
      ],
    });
  });

  it("names the issuer to clients without a token", async () => {
    for (const path of ["", "/mias"]) {
      expect(await metadata(path)).toEqual({
        resource: resource + path,
        resource_name: "Carrel",
        authorization_servers: [provider.url],
        scopes_supported: ["carrel:read", "carrel:chat"],
        bearer_methods_supported: ["header"],
      });
      const refused = await post(path);
      expect(refused.status).toBe(401);
      expect(refused.headers.get("www-authenticate")).toBe(
        `Bearer resource_metadata="${instance.url}/.well-known/oauth-protected-resource/api/mcp${path}", scope="carrel:read carrel:chat"`,
      );
    }
  });

  it("lets the official client sign a person in, who sees exactly their workspaces", async () => {
    for (const [login, slugs] of [
      ["mia", ["mias", "both"]],
      ["ben", ["bens", "both"]],
    ] as const) {
      const { client, asked } = await connect(login);
      expect(asked.searchParams.get("resource")).toBe(resource);
      expect(asked.searchParams.get("scope")).toBe("carrel:read carrel:chat");
      const { structuredContent } = await client.callTool({
        name: "list_workspaces",
        arguments: {},
      });
      const listed = (structuredContent as { workspaces: { slug: string }[] }).workspaces;
      expect(listed.map(({ slug }) => slug).toSorted()).toEqual(slugs.toSorted());
      const search = (workspace: string) =>
        client.callTool({ name: "search", arguments: { workspace, query: "pump" } });
      expect((await search("both")).isError).toBeUndefined();
      // Search applies what the source allows this person.
      expect(instance.ingest.last(searchPassages)!.context.scope.principal).toMatchObject({
        kind: "user",
        userId: userIds[login],
        role: "default",
      });
      const foreign = await search(login === "mia" ? "bens" : "mias");
      expect(foreign.isError).toBe(true);
      expect(foreign).toEqual(await search("unknown"));
      await client.close();
    }
  });

  it("takes a token for one workspace at its address only", async () => {
    const { client, asked } = await connect("mia", "/mias");
    expect(asked.searchParams.get("resource")).toBe(`${resource}/mias`);
    const found = await client.callTool({ name: "search", arguments: { query: "pump" } });
    expect(found.isError).toBeUndefined();
    await client.close();
    const token = accessToken("mia", { aud: `${resource}/mias` });
    expect((await post("/mias", token)).status).toBe(200);
    for (const path of ["", "/both"]) expect((await post(path, token)).status).toBe(401);
    expect((await post("/bens", accessToken("mia"))).status).toBe(404);
  });

  it("keeps conversations of different people apart, even of the same name", async () => {
    const ask = async (login: string): Promise<string> => {
      const params = {
        name: "ask",
        arguments: { workspace: "both", question: "How hot?", conversation: "ours" },
      };
      const reply = await post("", accessToken(login), { ...ping, method: "tools/call", params });
      expect(reply.text).toContain('"conversation":"ours"');
      const { input } = instance.chat.last(startGeneration)!;
      return (input as { conversation: { sessionId: string } }).conversation.sessionId;
    };
    expect(await ask("mia")).toBe(await ask("mia"));
    expect(await ask("mia")).not.toBe(await ask("ben"));
  });

  it("asks for the scope that a token lacks", async () => {
    const challenge = 'error="insufficient_scope", scope="carrel:read carrel:chat"';
    const params = { name: "ask", arguments: { workspace: "both", question: "How hot?" } };
    const ask = { ...ping, method: "tools/call", params };
    for (const [scope, body] of [
      ["openid profile", ping],
      ["carrel:read", ask],
    ] as const) {
      const refused = await post("", accessToken("mia", { scope }), body);
      expect(refused.status).toBe(403);
      expect(refused.headers.get("www-authenticate")).toContain(challenge);
    }
    expect((await post("", accessToken("mia", { scope: "carrel:read" }))).status).toBe(200);
  });

  it("refuses tokens that aren't for it, and people without an account", async () => {
    for (const token of [
      accessToken("mia", { aud: "https://other.example/api/mcp" }),
      accessToken("mia", { aud: "carrel-test" }),
      accessToken("mia", { iss: "https://evil.example" }),
      accessToken("mia", { exp: 1 }),
      // A session of the app.
      admin.authorization!.slice("Bearer ".length),
    ]) {
      const refused = await post("", token);
      expect(refused).toMatchObject({ status: 401, json: { error: "No valid api key found." } });
      expect(refused.headers.get("www-authenticate")).toContain('error="invalid_token"');
    }
    const stranger = await post("", accessToken("stranger"));
    expect(stranger).toMatchObject({
      status: 403,
      json: { error: expect.stringContaining("Sign in to this instance with OpenID once.") },
    });
    expect(stranger.headers.has("www-authenticate")).toBe(false);
  });

  it("takes no access token elsewhere, and the Host header can't choose the audience", async () => {
    const token = accessToken("mia");
    const authorization = { authorization: `Bearer ${token}` };
    for (const [path, status] of [
      ["/api/v1/workspaces", 403],
      ["/api/workspaces", 401],
      ["/api/system/refresh-user", 401],
    ] as const)
      expect((await instance.call("GET", path, undefined, authorization)).status).toBe(status);
    const { port } = new URL(instance.url);
    const foreign = accessToken("mia", { aud: `http://localhost:${port}/api/mcp` });
    const elsewhere = await fetch(`http://localhost:${port}/api/mcp`, {
      method: "POST",
      headers: { authorization: `Bearer ${foreign}`, "content-type": "application/json" },
      body: JSON.stringify(ping),
    });
    expect(elsewhere.status).toBe(401);
  });

  it("refuses a person as soon as they are suspended", async () => {
    const token = accessToken("ben");
    expect((await post("", token)).status).toBe(200);
    const path = `/api/admin/user/${userIds.ben}`;
    await instance.call("POST", path, { suspended: 1 }, admin);
    expect(await post("", token)).toMatchObject({
      status: 403,
      json: { error: expect.stringMatching(/suspended/i) },
    });
    await instance.call("POST", path, { suspended: 0 }, admin);
    await poll(async () => (await post("", token)).status).toBe(200);
  });
});
