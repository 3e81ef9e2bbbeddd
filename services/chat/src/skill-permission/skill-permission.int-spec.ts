import {
  addSkillPermission,
  createInvocation,
  checkSkillAvailable,
  getAgentModel,
  getSkillReach,
  isAgentCommandAvailable,
  listSkillPermissions,
  modelOverridesLabel,
  multiUserEnabled,
  removeSkillPermission,
  settingsChanged,
  userDeleted,
  type Principal,
  type WorkspaceScope,
} from "@carrel/contracts";
import { poll } from "@carrel/testing";
import { ChatInstance } from "../../test/chat-instance.ts";

let chat: ChatInstance;
let room: WorkspaceScope;
beforeAll(async () => {
  chat = await ChatInstance.start();
  await chat.startReplica();
  room = chat.addWorkspace();
});
afterAll(() => chat.stop());

const person = (userId: number): WorkspaceScope =>
  chat.as(room, { kind: "user", userId, role: "default" });
const list = async (scope: WorkspaceScope): Promise<string[]> =>
  (await chat.request(listSkillPermissions, {}, scope)).permissions.map((each) => each.skillName);
const add = (scope: WorkspaceScope, skillName: string): Promise<unknown> =>
  chat.request(addSkillPermission, { skillName }, scope);

describe("permissions of tools", () => {
  it("are each person's own, added once, and removed", async () => {
    await add(person(1), "sql-query");
    await add(person(1), "sql-query");
    await add(person(1), "gmail-send");
    await add(person(2), "search-web");
    expect(await list(person(1))).toEqual(["gmail-send", "sql-query"]);
    await chat.request(removeSkillPermission, { skillName: "sql-query" }, person(2));
    await chat.request(removeSkillPermission, { skillName: "gmail-send" }, person(1));
    expect(await list(person(1))).toEqual(["sql-query"]);
    expect(await list(person(2))).toEqual(["search-web"]);
  });

  it("don't exist for API keys, which approve nothing", async () => {
    const key: Principal = { kind: "key", userId: null, role: "admin", keyId: 3 };
    await add(room, "sql-query");
    await add(chat.as(room, key), "gmail-send");
    expect(await list(chat.as(room, key))).toEqual([]);
    expect(await list(room)).toEqual(["sql-query"]);
  });

  it("end with the account, and those without one with single-user mode", async () => {
    await add(person(7), "sql-query");
    await chat.tell(userDeleted, { userId: 7 });
    await poll(() => list(person(7))).toEqual([]);
    await add(room, "search-web");
    await chat.tell(multiUserEnabled, { adminId: 50, at: new Date().toISOString() });
    await poll(() => list(room)).toEqual([]);
  });
});

describe("what agents can do", () => {
  const calls = async (tools: boolean | null): Promise<void> => {
    const { GenericOpenAiModelPref: model } = chat.fixture.values;
    chat.fixture.values = {
      ...chat.fixture.values,
      [modelOverridesLabel]: JSON.stringify(
        tools === null ? [] : [{ provider: "generic-openai", model, tools }],
      ),
    };
    chat.fixture.settingsVersion += 1;
    await chat.shared.messaging.broadcast.invalidate(settingsChanged, {
      keys: [modelOverridesLabel],
    });
  };
  const isShown = async (scope: WorkspaceScope): Promise<boolean> =>
    (await chat.request(isAgentCommandAvailable, { slug: scope.workspace.slug }, scope))
      .showAgentCommand;

  it("depends on the server's folders", async () => {
    const check = async (skill: string): Promise<boolean> =>
      (await chat.request(checkSkillAvailable, { skill }, room)).available;
    expect(await check("filesystem-agent")).toBe(false);
    expect(await check("create-files-agent")).toBe(true);
    expect(await check("nonsense")).toBe(false);
    expect(await chat.request(getSkillReach, {}, room)).toEqual({ folders: [], callsTools: null });
  });

  it("makes @agent superfluous in automatic mode if the model calls tools", async () => {
    const [automatic, plain] = [chat.addWorkspace({ chatMode: "automatic" }), chat.addWorkspace()];
    for (const tools of [true, false]) {
      await calls(tools);
      expect(await isShown(automatic)).toBe(!tools);
      expect(await isShown(plain)).toBe(true);
      expect(await chat.request(getAgentModel, { slug: plain.workspace.slug }, plain)).toEqual({
        callsTools: tools,
      });
    }
  });

  it("follows the operator where models don't call tools natively", async () => {
    const other = await ChatInstance.start();
    try {
      await other.startReplica({ PROVIDER_DISABLE_NATIVE_TOOL_CALLING: "generic-openai" });
      const scope = other.addWorkspace({ chatMode: "automatic", agentProvider: "none" });
      const { slug } = scope.workspace;
      const start = async (message: string): Promise<string | null> =>
        (await other.request(createInvocation, { threadSlug: null, message }, scope)).uuid;
      expect(await other.request(isAgentCommandAvailable, { slug }, scope)).toEqual({
        showAgentCommand: true,
      });
      expect(await start("Hello")).toBeNull();
      expect(await start("@agent Hello")).not.toBeNull();
      expect(await other.request(getAgentModel, { slug }, scope)).toEqual({ callsTools: false });
    } finally {
      await other.stop();
    }
  });

  it("starts agents for every message where only a request can tell", async () => {
    await calls(null);
    const scope = chat.addWorkspace({ chatMode: "automatic" });
    expect(await isShown(scope)).toBe(false);
    const asked = { threadSlug: null, message: "Hello" };
    expect((await chat.request(createInvocation, asked, scope)).uuid).not.toBeNull();
  });
});
