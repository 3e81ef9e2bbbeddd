import {
  addMcpServer,
  beginMcpSignIn,
  callMcpTool,
  completeMcpSignIn,
  deleteMcpServer,
  eventLogged,
  listMcpServers,
  servicePrincipal,
  updateMcpServer,
  type EventPayload,
  type McpServerWire,
  type Principal,
} from "@carrel/contracts";
import { createDataSource } from "@carrel/database";
import { poll } from "@carrel/testing";
import type { DataSource } from "typeorm";
import { startSignInServer } from "../../../../libs/mcp/test/sign-in-server.ts";
import { ChatInstance } from "../../test/chat-instance.ts";
import { chatDatabase } from "../chat.database.ts";

const admin: Principal = { kind: "user", userId: 1, role: "admin" };
const scope = { principal: admin, workspace: null } as never;

let chat: ChatInstance;
let source: DataSource;
const logged: EventPayload<typeof eventLogged>[] = [];
beforeAll(async () => {
  chat = await ChatInstance.start();
  await chat.startReplica();
  source = await createDataSource(chat.database.url, chatDatabase, { poolSize: 1 }).initialize();
  chat.shared.messaging.broadcast.on(`event:${eventLogged.name}`, (payload) =>
    logged.push(payload as EventPayload<typeof eventLogged>),
  );
});
afterAll(async () => {
  await source.destroy();
  await chat.stop();
});

const find = async (name: string): Promise<McpServerWire> =>
  (await chat.request(listMcpServers, {}, scope)).servers.find((server) => server.name === name)!;

describe("MCP servers with a sign-in", () => {
  it("may require a sign-in, whose tokens are sealed and renewed", async () => {
    const fake = await startSignInServer();
    const { id } = await chat.request(
      addMcpServer,
      { name: "guarded", config: { kind: "address", url: fake.url } },
      scope,
    );
    await poll(async () => (await find("guarded")).signIn).toBe("required");
    const redirectUri = "https://carrel.example/api/mcp-servers/callback";
    const begin = () => chat.request(beginMcpSignIn, { id, redirectUri }, scope);
    const complete = (callbackUrl: string, sealed: string) =>
      chat.request(completeMcpSignIn, { callbackUrl, sealed }, {
        principal: servicePrincipal,
        workspace: null,
      } as never);

    const first = await begin();
    const back = await fake.agree(first.url);
    const second = await begin();
    // The browser of another attempt, and another attempt's answer.
    await expect(complete(back, second.sealed)).rejects.toMatchObject({
      code: "mcp.sign-in-expired",
    });
    await expect(complete(back, first.sealed)).rejects.toMatchObject({
      code: "mcp.sign-in-expired",
    });
    const third = await begin();
    const answer = await fake.agree(third.url);
    expect(await complete(answer, third.sealed)).toEqual({ name: "guarded" });
    await expect(complete(answer, third.sealed)).rejects.toMatchObject({
      code: "mcp.sign-in-expired",
    });
    await poll(() => logged.at(-1)).toMatchObject({
      event: "mcp_server_signed_in",
      userId: 1,
      metadata: { name: "guarded" },
    });
    await poll(async () => (await find("guarded")).state).toBe("connected");
    expect(await find("guarded")).toMatchObject({ signIn: "done", fault: null });
    const { tools } = await find("guarded");
    expect(tools.find(({ name }) => name === "look")).toMatchObject({ state: "offered" });
    expect(fake.calls).toContain("authorize tickets");
    const stored = JSON.stringify(await source.query("SELECT * FROM chat.mcp_server"));
    for (const token of fake.tokens) expect(stored).not.toContain(token);

    fake.tokens.clear();
    const calls = await Promise.all(
      [1, 2, 3].map((at) =>
        chat.request(callMcpTool, { id, tool: "look", input: { query: String(at) } }, scope),
      ),
    );
    expect(calls.map(({ text }) => text)).toEqual(["found 1", "found 2", "found 3"]);
    expect(fake.calls.filter((call) => call === "refresh_token")).toHaveLength(1);
    await chat.request(deleteMcpServer, { name: "guarded" }, scope);
    await fake.stop();
  });

  it("get no tokens of a sign-in during which their address was changed", async () => {
    const fake = await startSignInServer();
    const config = { kind: "address" as const, url: fake.url };
    const { id } = await chat.request(addMcpServer, { name: "moved", config }, scope);
    const redirectUri = "https://carrel.example/api/mcp-servers/callback";
    const { url, sealed } = await chat.request(beginMcpSignIn, { id, redirectUri }, scope);
    const callbackUrl = await fake.agree(url);
    fake.meanwhile = () =>
      chat.request(
        updateMcpServer,
        { id, config: { ...config, url: "http://127.0.0.1:9/mcp" } },
        scope,
      );
    await expect(
      chat.request(completeMcpSignIn, { callbackUrl, sealed }, {
        principal: servicePrincipal,
        workspace: null,
      } as never),
    ).rejects.toMatchObject({ code: "mcp.sign-in-outdated", params: { server: "moved" } });
    expect(fake.tokens.size).toBe(1);
    expect((await find("moved")).signIn).not.toBe("done");
    await chat.request(deleteMcpServer, { name: "moved" }, scope);
    await fake.stop();
  });
});
