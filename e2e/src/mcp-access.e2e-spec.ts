import {
  freePort,
  poll,
  startOpenIdProvider,
  startTestInstance,
  TestBrowser,
  type TestInstance,
  type TestOpenIdProvider,
} from "@carrel/testing";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Api } from "./api.ts";

let provider: TestOpenIdProvider;
let instance: TestInstance;
let url: string;
const slugs: Record<string, string> = {};

/** Mia and Ben have signed in; each has a workspace with a document, and neither a model. */
beforeAll(async () => {
  provider = await startOpenIdProvider({
    people: { mia: { preferred_username: "mia" }, ben: { preferred_username: "ben" } },
  });
  const port = String(await freePort());
  url = `http://127.0.0.1:${port}`;
  instance = await startTestInstance({
    ...provider.environment,
    CARREL_PORT: port,
    CARREL_PUBLIC_URL: url,
    CARREL_MCP_OAUTH: "1",
  });
  provider.redirectUris.add(`${url}/api/auth/openid/callback`);
  const api = new Api(url);
  const admin = { username: "the-admin", password: "a password of the tests" };
  await api.json("POST", "/system/enable-multi-user", admin);
  api.token = (await api.json<{ token: string }>("POST", "/request-token", admin)).token;
  for (const login of ["mia", "ben"]) {
    const browser = new TestBrowser();
    const begun = await browser.get(`${url}/api/auth/openid/start`);
    await browser.get(await browser.signInAtProvider(begun.headers.get("location")!, login));
  }
  const { users } = await api.json<{ users: { id: number; username: string }[] }>(
    "GET",
    "/admin/users",
  );
  for (const [login, text] of [
    ["mia", "The pump in hall 4 was replaced in week 17."],
    ["ben", "The boiler in hall 9 was cleaned in week 23."],
  ] as const) {
    const { id, slug } = await api.makeWorkspace(`Of ${login}`);
    slugs[login] = slug;
    await api.json("POST", `/admin/workspaces/${id}/update-users`, {
      userIds: [users.find(({ username }) => username === login)!.id],
    });
    await api.upload("upload-and-embed", slug, "report.txt", text);
    await poll(
      async () =>
        (await api.json<{ documents: { state: string }[] }>("GET", `/workspace/${slug}/documents`))
          .documents[0]?.state,
    ).toMatch(/^(searchable|ready|embedded)$/);
  }
});
afterAll(async () => {
  await instance?.stop();
  await provider?.stop();
});

async function connect(login: string): Promise<Client> {
  const iat = Math.floor(Date.now() / 1000);
  const claims = { iss: provider.url, sub: login, aud: `${url}/api/mcp`, iat, exp: iat + 600 };
  const token = provider.signToken({ ...claims, scope: "carrel:read carrel:chat" }, "own", {
    typ: "at+jwt",
  });
  const client = new Client({ name: "test", version: "1.0.0" });
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${url}/api/mcp`), { requestInit }),
  );
  return client;
}
const call = (client: Client, name: string, args: Record<string, unknown>) =>
  client.callTool({ name, arguments: args });

describe("an MCP client with an access token", () => {
  it("searches, asks and reads as its person, and nothing of others", async () => {
    const client = await connect("mia");
    expect(await call(client, "list_workspaces", {})).toMatchObject({
      structuredContent: { workspaces: [{ slug: slugs.mia }] },
    });
    const workspace = slugs.mia;
    expect(await call(client, "search", { workspace, query: "pump" })).toMatchObject({
      structuredContent: { passages: [{ text: expect.stringContaining("week 17") }] },
    });
    const first = await call(client, "ask", { workspace, question: "When was the pump replaced?" });
    expect(first).toMatchObject({
      structuredContent: {
        answer: expect.stringContaining("week 17"),
        citations: [{ title: "report.txt" }],
      },
    });
    const { conversation } = first.structuredContent as { conversation: string };
    const second = { workspace, conversation, question: "In which hall is the pump?" };
    expect(await call(client, "ask", second)).toMatchObject({
      structuredContent: { conversation },
    });
    const { resources } = await client.listResources();
    expect(resources.map(({ name }) => name)).toEqual(["report.txt"]);
    expect(await client.readResource({ uri: resources[0]!.uri })).toMatchObject({
      contents: [{ text: expect.stringContaining("hall 4") }],
    });
    const other = await connect("ben");
    const [foreign] = (await other.listResources()).resources;
    await expect(client.readResource({ uri: foreign!.uri })).rejects.toThrow(/not found/i);
    for (const [tool, args] of [
      ["search", { query: "boiler" }],
      ["ask", { question: "When was the boiler cleaned?" }],
      ["list_documents", {}],
    ] as const) {
      const refused = await call(client, tool, { ...args, workspace: slugs.ben });
      expect(refused.isError).toBe(true);
      expect(refused).toEqual(await call(client, tool, { ...args, workspace: "unknown" }));
    }
    await client.close();
    await other.close();
  });
});
