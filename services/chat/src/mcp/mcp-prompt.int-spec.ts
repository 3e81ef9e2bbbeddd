import path from "node:path";
import {
  addMcpServer,
  getMcpPrompt,
  listMcpPrompts,
  settingsChanged,
  toggleMcpServer,
  type Args,
  type Principal,
  type WorkspaceScope,
} from "@carrel/contracts";
import { ChatInstance } from "../../test/chat-instance.ts";

const fixture = path.join(import.meta.dirname, "../../../../libs/mcp/test/fixture-stdio.ts");
const admin: Principal = { kind: "user", userId: 1, role: "admin" };
const config = { kind: "command" as const, command: process.execPath, args: [fixture] };

let chat: ChatInstance;
let own: WorkspaceScope;
let others: WorkspaceScope;
let shared: number;
let personal: number;
beforeAll(async () => {
  chat = await ChatInstance.start();
  await chat.startReplica();
  const room = chat.addWorkspace();
  own = chat.as(room, admin);
  others = chat.as(room, { kind: "user", userId: 2, role: "default" });
  const add = (name: string, isPersonal: boolean) =>
    chat.request(addMcpServer, { name, config, isPersonal }, own);
  ({ id: shared } = await add("tickets", false));
  ({ id: personal } = await add("mine", true));
});
afterAll(() => chat.stop());

const list = async (scope: WorkspaceScope) =>
  (await chat.request(listMcpPrompts, { slug: scope.workspace.slug }, scope)).prompts;
const get = (
  name: string,
  more: Partial<Args<typeof getMcpPrompt>> = {},
  scope: WorkspaceScope = others,
) =>
  chat.request(
    getMcpPrompt,
    { slug: scope.workspace.slug, serverId: shared, name, ...more },
    scope,
  );
const serversOf = async (scope: WorkspaceScope): Promise<string[]> => [
  ...new Set((await list(scope)).map(({ server }) => server)),
];

describe("prompts of MCP servers", () => {
  it("are everybody's, but a person's own server's only theirs", async () => {
    expect(await serversOf(own)).toEqual(["tickets", "mine"]);
    expect(await serversOf(others)).toEqual(["tickets"]);
    expect((await list(others)).find(({ name }) => name === "review")).toMatchObject({
      serverId: shared,
      title: "Review a ticket",
      arguments: [
        { name: "ticket", isRequired: true },
        { name: "tone", isRequired: false },
      ],
    });
    expect(await get("greet", { serverId: personal }, own)).toEqual({ text: "Hello", leftOut: [] });
    // Somebody else's looks like none.
    for (const serverId of [personal, 2_000_000_000])
      await expect(get("greet", { serverId })).rejects.toMatchObject({
        code: "mcp.not-found",
        params: {},
      });
  });

  it("are made with their arguments, and say what they lack", async () => {
    const values = { ticket: "17", tone: "briefly" };
    expect(await get("review", { arguments: values })).toEqual({
      text: "Review ticket 17 briefly.\n\n[resource: file:///notes.md]\n# Notes",
      leftOut: ["image/png", "file:///plan.bin"],
    });
    for (const ticket of [{}, { ticket: " " }] as Record<string, string>[])
      await expect(get("review", { arguments: ticket })).rejects.toMatchObject({
        code: "mcp.prompt-argument-missing",
        message: "Review a ticket needs a value for ticket.",
      });
  });

  it("fail clearly", async () => {
    await expect(get("none")).rejects.toMatchObject({
      message: "tickets has no prompt named none.",
    });
    await expect(get("picture")).rejects.toMatchObject({ code: "mcp.prompt-empty" });
    await expect(get("refuse")).rejects.toMatchObject({
      kind: "PROVIDER_FAILED",
      message: "tickets refused the prompt refuse: There is no ticket 17.",
    });
    // Never shortened.
    await expect(get("long")).rejects.toMatchObject({
      kind: "PROVIDER_FAILED",
      params: { prompt: "long", kilobytes: 201, limit: 200 },
    });
    expect((await get("longest")).text).toHaveLength(100_000);
  });

  it("are nobody's while the server is stopped or forbidden", async () => {
    const rule = async (rules: typeof chat.fixture.agents.rules): Promise<void> => {
      chat.fixture.agents.rules = rules;
      await chat.shared.messaging.broadcast.invalidate(settingsChanged, {
        keys: ["agent_skill_rules"],
      });
    };
    await rule({ "mcp:tickets": "forbid" });
    expect(await serversOf(own)).toEqual(["mine"]);
    await expect(get("greet")).rejects.toMatchObject({ code: "mcp.not-found" });
    await rule({ "mcp:tickets": "ask" });
    expect((await get("greet")).text).toBe("Hello");
    await chat.request(toggleMcpServer, { name: "tickets", enabled: false }, own);
    expect(await serversOf(own)).toEqual(["mine"]);
    await expect(get("greet")).rejects.toMatchObject({ code: "mcp.stopped" });
  });
});
