import {
  addMcpServer,
  addSkillPermission,
  deleteMcpServer,
  listMcpServers,
  listSkillPermissions,
  updateMcpServer,
  userDeleted,
  type Principal,
  type WorkspaceScope,
} from "@carrel/contracts";
import { poll } from "@carrel/testing";
import { ChatInstance } from "../../test/chat-instance.ts";

const person = (userId: number): Principal => ({ kind: "user", userId, role: "admin" });
let admin: WorkspaceScope;
let other: WorkspaceScope;
const config = (url = "http://127.0.0.1:9/mcp") => ({ kind: "address" as const, url });

let chat: ChatInstance;
beforeAll(async () => {
  chat = await ChatInstance.start();
  await chat.startReplica();
  const room = chat.addWorkspace();
  [admin, other] = [chat.as(room, person(1)), chat.as(room, person(2))];
});
afterAll(() => chat.stop());

const add = (name: string, scope = admin, isPersonal = false) =>
  chat.request(addMcpServer, { name, config: config(), enabled: false, isPersonal }, scope);
const remove = (name: string) => chat.request(deleteMcpServer, { name }, admin);
const allow = (skillName: string, scope = admin) =>
  chat.request(addSkillPermission, { skillName }, scope);
const allowed = async (scope = admin): Promise<string[]> =>
  (await chat.request(listSkillPermissions, {}, scope)).permissions.map((each) => each.skillName);
const names = async (scope = admin): Promise<string[]> =>
  (await chat.request(listMcpServers, {}, scope)).servers.map(({ name }) => name);

describe("a deleted MCP server", () => {
  it("takes its rule and everybody's permissions along, and no others", async () => {
    await add("tickets");
    for (const scope of [admin, other])
      for (const skill of ["mcp:tickets", "mcp:tickets-2", "sql-agent"]) await allow(skill, scope);
    chat.fixture.agents.rules = { "mcp:tickets": "forbid", "mcp:tickets-2": "ask" };
    await remove("tickets");
    expect(chat.fixture.agents.rules).toEqual({ "mcp:tickets-2": "ask" });
    for (const scope of [admin, other])
      expect(await allowed(scope)).toEqual(["mcp:tickets-2", "sql-agent"]);
  });

  it("leaves nothing to a later one of its name, whatever was allowed in between", async () => {
    await add("files");
    await remove("files");
    // By an approval that was open meanwhile.
    await allow("mcp:files");
    await add("files");
    expect(await allowed()).not.toContain("mcp:files");
    await remove("files");
  });

  it("is kept, but stopped, if its rule can't be deleted", async () => {
    await add("kept");
    await allow("mcp:kept");
    chat.fixture.agents.rules = { "mcp:kept": "forbid" };
    chat.fixture.cannotForget = true;
    await expect(remove("kept")).rejects.toMatchObject({ code: "request.unavailable" });
    const { servers } = await chat.request(listMcpServers, {}, admin);
    expect(servers.find(({ name }) => name === "kept")).toMatchObject({ enabled: false });
    expect(await allowed()).toContain("mcp:kept");
    expect(chat.fixture.agents.rules).toEqual({ "mcp:kept": "forbid" });
    chat.fixture.cannotForget = false;
    await remove("kept");
    expect(await names()).not.toContain("kept");
    expect(chat.fixture.agents.rules).toEqual({});
  });

  it("of a deleted account leaves no rule either", async () => {
    await add("mine", other, true);
    await add("shared");
    chat.fixture.agents.rules = { "mcp:mine": "ask", "mcp:shared": "ask" };
    await chat.tell(userDeleted, { userId: 2 });
    await poll(() => names(other)).toEqual(["shared"]);
    expect(chat.fixture.agents.rules).toEqual({ "mcp:shared": "ask" });
  });
});

describe("an MCP server that moves", () => {
  it("has to be allowed again, but not for a new secret", async () => {
    const { id } = await add("moving");
    const update = (url: string, headers: Record<string, string>) =>
      chat.request(
        updateMcpServer,
        { id, config: { ...config(url), headers }, enabled: false },
        admin,
      );
    await allow("mcp:moving");
    await update("http://127.0.0.1:9/mcp", { Authorization: "Bearer new" });
    expect(await allowed()).toContain("mcp:moving");
    await update("http://127.0.0.1:10/mcp", {});
    expect(await allowed()).not.toContain("mcp:moving");
  });
});
