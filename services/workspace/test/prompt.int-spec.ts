import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { listening } from "@carrel/testing";
import {
  builtInSystemPrompt,
  clearPromptHistory,
  createPreset,
  createVariable,
  createWorkspace,
  deletePreset,
  deletePromptHistoryEntry,
  deleteVariable,
  deleteWorkspace,
  getDefaultSystemPrompt,
  getWorkspaceSettings,
  instancePrincipal,
  listPresets,
  listPromptHistory,
  listVariables,
  multiUserEnabled,
  resolvePromptParts,
  servicePrincipal,
  setDefaultSystemPrompt,
  settingsChanged,
  updateMembers,
  updatePreferences,
  updatePreset,
  updateVariable,
  updateWorkspace,
  userDeleted,
  type Principal,
  type Scope,
  type WorkspaceWire,
} from "@carrel/contracts";
import {
  apiKey,
  eventually,
  instance,
  person,
  scopeOf,
  startWorkspaceInstance,
  type WorkspaceInstance,
} from "./workspace-instance.ts";

const admin = person(1, "admin");
const manager = person(2, "manager");
const member = person(3);
const stranger = person(4);
const nobody: Principal = { kind: "public", userId: null, role: "none" };
let carrel: WorkspaceInstance;
let request: WorkspaceInstance["request"];
let workspace: WorkspaceWire;
const as = (principal: Principal): Scope => scopeOf(principal);
const within = (
  principal: Principal,
  { id, slug }: { id: number; slug: string } = workspace,
): Scope => scopeOf(principal, { id, slug });
const unique = (): string => randomUUID().slice(0, 8);

beforeAll(async () => {
  carrel = await startWorkspaceInstance();
  request = carrel.request;
  carrel.accounts.add(1, "ada", "admin", "Runs it.");
  carrel.accounts.add(2, "max", "manager");
  carrel.accounts.add(3, "mia", "default", "Likes birds.");
  carrel.accounts.add(4, "sam");
});
afterAll(() => carrel.stop());
beforeEach(async () => {
  workspace = (await request(createWorkspace, { name: `Room ${randomUUID()}` }, as(admin)))
    .workspace!;
  await request(updateMembers, { id: workspace.id, userIds: [3] }, as(admin));
});

describe("slash commands", () => {
  it("are kept as the wire says, and a second one of a name is the first", async () => {
    const command = `/My Command ${unique()}!`;
    const { preset } = await request(
      createPreset,
      { command, prompt: "Explain.", description: "What it is" },
      as(member),
    );
    expect(preset).toEqual({
      id: expect.any(Number),
      command: command.toLowerCase().replaceAll(/[ !]/g, "-"),
      prompt: "Explain.",
      description: "What it is",
      uid: 3,
      userId: 3,
      createdAt: expect.any(String),
      lastUpdatedAt: expect.any(String),
    });
    expect(
      (await request(createPreset, { command, prompt: "Other.", description: null }, as(member)))
        .preset,
    ).toEqual(preset);
    // At once, from both replicas.
    const again = unique();
    const made = await Promise.all(
      Array.from({ length: 8 }, () =>
        request(createPreset, { command: again, prompt: "x" }, as(member)),
      ),
    );
    expect(new Set(made.map((one) => one.preset.id)).size).toBe(1);
    expect(
      (await request(createPreset, { command: again, prompt: "Sam’s" }, as(stranger))).preset.id,
    ).not.toBe(made[0]!.preset.id);
  });

  it("without a name get one, the same for the same request", async () => {
    const key = randomUUID();
    const made = await Promise.all(
      [0, 1].map(() => request(createPreset, { prompt: "Explain." }, as(member), key)),
    );
    expect(made[0]!.preset.command).toMatch(/^\/[0-9a-f]{8}$/);
    expect(made[1]).toEqual(made[0]);
  });

  it.each(["/reset", "RESET", " /img ", "exit"])("%j is Carrel’s own", async (command) => {
    const refused = {
      code: "BAD_INPUT",
      message: "Cannot create a preset with a command that matches a system command",
    };
    await expect(request(createPreset, { command, prompt: "x" }, as(member))).rejects.toMatchObject(
      refused,
    );
    const { preset } = await request(createPreset, { command: unique(), prompt: "x" }, as(member));
    await expect(
      request(updatePreset, { id: preset.id, command, prompt: "x" }, as(member)),
    ).rejects.toMatchObject(refused);
  });

  const owners: [string, Principal, boolean][] = [
    ["the owner", member, true],
    ["the owner’s extension", person(3, "default", "extension"), true],
    ["another person", stranger, false],
    ["a manager", manager, false],
    ["an admin", admin, false],
    ["the instance", instancePrincipal, false],
    ["a key", apiKey, false],
  ];
  it.each(owners)("%s: sees, changes and deletes own ones only", async (_name, principal, may) => {
    const { preset } = await request(
      createPreset,
      { command: unique(), prompt: "Mine." },
      as(member),
    );
    expect(
      (await request(listPresets, {}, as(principal))).presets.some(({ id }) => id === preset.id),
    ).toBe(may);
    const command = unique();
    const changed = request(
      updatePreset,
      { id: preset.id, command, prompt: "Changed.", description: "New" },
      as(principal),
    );
    if (may)
      expect((await changed).preset).toMatchObject({
        id: preset.id,
        command: `/${command}`,
        prompt: "Changed.",
        description: "New",
      });
    else
      await expect(changed).rejects.toMatchObject({
        code: "NOT_FOUND",
        message: "Preset not found",
      });
    const deleted = request(deletePreset, { id: preset.id }, as(principal));
    if (may) await deleted;
    else await expect(deleted).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect(
      (await request(listPresets, {}, as(member))).presets.some(({ id }) => id === preset.id),
    ).toBe(!may);
  });

  it("are nobody’s without a session", async () => {
    for (const principal of [nobody, servicePrincipal])
      await expect(request(listPresets, {}, as(principal))).rejects.toMatchObject({
        code: "FORBIDDEN",
      });
  });

  it("do not take the name of another one, and a deletion told twice is done once", async () => {
    const [first, second] = [unique(), unique()];
    const { preset } = await request(createPreset, { command: first, prompt: "x" }, as(member));
    await request(createPreset, { command: second, prompt: "x" }, as(member));
    await expect(
      request(updatePreset, { id: preset.id, command: second, prompt: "x" }, as(member)),
    ).rejects.toMatchObject({ code: "CONFLICT" });
    const key = randomUUID();
    await Promise.all([0, 1].map(() => request(deletePreset, { id: preset.id }, as(member), key)));
    await expect(request(deletePreset, { id: preset.id }, as(member))).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
  });

  it("are limited together, and all of them still fit into an answer", async () => {
    const owner = as(person(70));
    carrel.accounts.add(70, "collector");
    const long = '"\\'.repeat(10_000);
    let made = 0;
    const fill = async (): Promise<void> => {
      for (; made < 30; made += 1)
        await request(createPreset, { command: `long-${made}`, prompt: long }, owner);
    };
    await expect(fill()).rejects.toMatchObject({ code: "BAD_INPUT" });
    expect(made).toBe(12);
    expect((await request(listPresets, {}, owner)).presets).toHaveLength(12);
    await request(updateMembers, { id: workspace.id, userIds: [70] }, as(admin));
    expect((await request(resolvePromptParts, {}, within(person(70)))).presets).toHaveLength(12);
  });

  it("go with their owner", async () => {
    carrel.accounts.add(50, "gone");
    await request(createPreset, { command: unique(), prompt: "x" }, as(person(50)));
    carrel.accounts.users.delete(50);
    await carrel.tell(userDeleted, { userId: 50 });
    await eventually(
      async () => (await request(listPresets, {}, as(person(50)))).presets.length === 0,
    );
  });
});

it("commands of the instance become the first admin’s when accounts are switched on, under another name where it is taken", async () => {
  const own = await startWorkspaceInstance();
  try {
    own.accounts.add(41, "first", "admin");
    const { preset } = await own.request(
      createPreset,
      { command: "summary", prompt: "Old." },
      instance,
    );
    expect(preset).toMatchObject({ uid: 0, userId: null });
    await own.request(createPreset, { command: "other", prompt: "Other." }, instance);
    await own.request(
      createPreset,
      { command: "summary", prompt: "New." },
      as(person(41, "admin")),
    );
    await own.tell(multiUserEnabled, { adminId: 41, at: new Date().toISOString() });
    const listed = async (): Promise<string[]> =>
      (await own.request(listPresets, {}, as(person(41, "admin")))).presets
        .map(({ command, prompt }) => `${command}: ${prompt}`)
        .toSorted();
    await eventually(async () => (await listed()).length === 3);
    expect(await listed()).toEqual([
      "/other: Other.",
      `/summary-${preset.id}: Old.`,
      "/summary: New.",
    ]);
    expect((await own.request(listPresets, {}, instance)).presets).toEqual([]);
  } finally {
    await own.stop();
  }
});

describe("prompt variables", () => {
  it("built-in ones come first, about a user only for one", async () => {
    const key = `k_${unique()}`;
    const { variable } = await request(
      createVariable,
      { key, value: "Acme", description: "The company" },
      as(admin),
    );
    expect(variable).toEqual({
      id: expect.any(Number),
      key,
      value: "Acme",
      description: "The company",
      type: "static",
      userId: 1,
    });
    const { variables } = await request(listVariables, {}, as(member));
    expect(variables.slice(0, 3).map((one) => one.key)).toEqual(["time", "date", "datetime"]);
    expect(variables).toContainEqual({
      key: "user.name",
      description: expect.any(String),
      type: "user",
      multiUserRequired: true,
    });
    expect(variables.at(-1)).toEqual(variable);
    expect(
      (await request(listVariables, {}, instance)).variables.map((one) => one.key),
    ).not.toContain("user.name");
  });

  it.each([
    ["", "x", "Key and value are required"],
    ["abc", " ", "Key and value are required"],
    [null, null, "Key and value are required"],
    [
      "ab",
      "x",
      "Failed to create system prompt variable: Key must be between 3 and 255 characters",
    ],
    [
      "a".repeat(256),
      "x",
      "Failed to create system prompt variable: Key must be between 3 and 255 characters",
    ],
    [
      "with space",
      "x",
      "Failed to create system prompt variable: Key must contain only letters, numbers and underscores",
    ],
    [
      "ключ",
      "x",
      "Failed to create system prompt variable: Key must contain only letters, numbers and underscores",
    ],
    ["time", "x", "Failed to create system prompt variable: A built-in variable has this key"],
    ["user.name", "x", "Failed to create system prompt variable: A built-in variable has this key"],
  ])("the key %j with %j is refused", async (key, value, message) => {
    await expect(request(createVariable, { key, value }, as(admin))).rejects.toMatchObject({
      code: "BAD_INPUT",
      message,
    });
  });

  it("have keys of their own, numbers are text, and one that is not there is not found", async () => {
    const [first, second] = [`a_${unique()}`, `b_${unique()}`];
    const { variable } = await request(createVariable, { key: first, value: 42 }, as(admin));
    expect(variable.value).toBe("42");
    await request(createVariable, { key: second, value: "x" }, as(admin));
    const taken = { code: "BAD_INPUT", message: expect.stringContaining("already exists") };
    await expect(
      request(createVariable, { key: first, value: "x" }, as(admin)),
    ).rejects.toMatchObject(taken);
    await expect(
      request(updateVariable, { id: variable.id!, key: second, value: "x" }, as(admin)),
    ).rejects.toMatchObject(taken);
    expect(
      (await request(updateVariable, { id: variable.id!, key: first, value: "y" }, as(admin)))
        .variable,
    ).toMatchObject({ id: variable.id, value: "y", description: null });
    await request(deleteVariable, { id: variable.id! }, as(admin));
    await expect(
      request(updateVariable, { id: variable.id!, key: first, value: "y" }, as(admin)),
    ).rejects.toMatchObject({ code: "NOT_FOUND", message: "Variable not found" });
    await expect(request(deleteVariable, { id: variable.id! }, as(admin))).rejects.toMatchObject({
      code: "NOT_FOUND",
      message: "System prompt variable not found or could not be deleted",
    });
    // The same request delivered twice makes one.
    const [key, id] = [`c_${unique()}`, randomUUID()];
    const made = await Promise.all(
      [0, 1].map(() => request(createVariable, { key, value: "x" }, as(admin), id)),
    );
    expect(made[0]).toEqual(made[1]);
  });

  it.each([
    ["a manager", manager],
    ["a member", member],
    ["nobody", nobody],
  ])("%s sets none", async (_name, principal) => {
    const refused = await Promise.allSettled([
      request(createVariable, { key: "not_mine", value: "x" }, as(principal)),
      request(updateVariable, { id: 1, key: "not_mine", value: "x" }, as(principal)),
      request(deleteVariable, { id: 1 }, as(principal)),
    ]);
    expect(refused).toMatchObject(
      [0, 1, 2].map(() => ({ status: "rejected", reason: { code: "FORBIDDEN" } })),
    );
  });
});

describe("what a prompt is made of", () => {
  it("commands of the caller and values for the caller, in the caller’s place", async () => {
    const [command, key] = [unique(), `v_${unique()}`];
    await request(createPreset, { command, prompt: "Explain it." }, as(member));
    await request(createVariable, { key, value: "Acme" }, as(admin));
    const parts = await request(
      resolvePromptParts,
      { timeZone: "Asia/Tokyo", locale: "de-DE" },
      within(member),
    );
    expect(parts.presets).toContainEqual({ command: `/${command}`, prompt: "Explain it." });
    const today = new Intl.DateTimeFormat("de-DE", {
      timeZone: "Asia/Tokyo",
      year: "numeric",
      month: "numeric",
      day: "numeric",
    }).format(new Date());
    expect(parts.variables).toMatchObject({
      [key]: "Acme",
      "user.name": "mia",
      "user.bio": "Likes birds.",
      "workspace.id": String(workspace.id),
      "workspace.name": workspace.name,
      date: today,
    });
    expect(
      (
        await request(
          resolvePromptParts,
          { timeZone: "Nowhere/At all", locale: "💥" },
          within(admin),
        )
      ).variables,
    ).toMatchObject({ "user.name": "ada", date: expect.stringContaining("20") });
    const alone = await request(resolvePromptParts, {}, within(instancePrincipal));
    expect(alone.variables).toMatchObject({ "user.name": "[User name]", "user.bio": "[User bio]" });
    expect(alone.presets.map((one) => one.command)).not.toContain(`/${command}`);
    expect((await request(resolvePromptParts, {}, within(servicePrincipal))).presets).toEqual([]);
    await expect(request(resolvePromptParts, {}, within(stranger))).rejects.toMatchObject({
      code: "WORKSPACE_NOT_FOUND",
    });
  });
});

describe("earlier prompts", () => {
  const set = (openAiPrompt: string | null, principal: Principal = manager): Promise<unknown> =>
    request(updateWorkspace, { slug: workspace.slug, openAiPrompt }, within(principal));
  const history = async (
    principal: Principal = member,
  ): Promise<{ prompt: string; by: string | null }[]> =>
    (await request(listPromptHistory, { slug: workspace.slug }, within(principal))).history.map(
      ({ prompt, user }) => ({ prompt, by: user?.username ?? null }),
    );

  it("are kept when they were one of the workspace’s own", async () => {
    await set("First.");
    expect(await history()).toEqual([]);
    await set("First.");
    expect(await history()).toEqual([]);
    await set("Second.", admin);
    await set(builtInSystemPrompt);
    await set("Third.");
    await set(null);
    await request(updateWorkspace, { slug: workspace.slug, topN: 7 }, within(admin));
    expect(await history()).toEqual([
      { prompt: "Third.", by: "max" },
      { prompt: "Second.", by: "max" },
      { prompt: "First.", by: "ada" },
    ]);
    const [newest] = (await request(listPromptHistory, { slug: workspace.slug }, within(admin)))
      .history;
    expect(newest).toEqual({
      id: expect.any(Number),
      workspaceId: workspace.id,
      prompt: "Third.",
      modifiedBy: 2,
      modifiedAt: expect.any(String),
      user: { username: "max" },
    });
  });

  it("the instance’s own default is none of the workspace’s", async () => {
    await request(setDefaultSystemPrompt, { defaultSystemPrompt: "House rules." }, as(admin));
    await set("House rules.");
    await set("Own.");
    expect(await history()).toEqual([]);
    await request(setDefaultSystemPrompt, { defaultSystemPrompt: "" }, as(admin));
  });

  it("are deleted one by one in the workspace that they belong to, whichever was made first", async () => {
    for (const prompt of ["One.", "Two.", "Three."]) await set(prompt);
    const [two, one] = (await request(listPromptHistory, { slug: workspace.slug }, within(member)))
      .history;
    for (const principal of [member, stranger, nobody])
      await expect(
        request(deletePromptHistoryEntry, { id: two!.id }, as(principal)),
      ).rejects.toMatchObject({ code: "FORBIDDEN" });
    const key = randomUUID();
    expect(
      await Promise.all(
        [0, 1].map(() => request(deletePromptHistoryEntry, { id: two!.id }, as(manager), key)),
      ),
    ).toEqual([{ success: true }, { success: true }]);
    expect(await request(deletePromptHistoryEntry, { id: two!.id }, as(manager))).toEqual({
      success: false,
    });
    expect((await history()).map(({ prompt }) => prompt)).toEqual(["One."]);
    await request(deleteWorkspace, { slug: workspace.slug }, within(admin));
    expect(await request(deletePromptHistoryEntry, { id: one!.id }, as(manager))).toEqual({
      success: false,
    });
  });

  it("are cleared by managers, seen by members, unknown to others", async () => {
    for (const prompt of ["One.", "Two."]) await set(prompt);
    await expect(
      request(clearPromptHistory, { slug: workspace.slug }, within(member)),
    ).rejects.toMatchObject({ code: "FORBIDDEN" });
    await expect(history(stranger)).rejects.toMatchObject({ code: "WORKSPACE_NOT_FOUND" });
    expect(await history()).toHaveLength(1);
    expect(await request(clearPromptHistory, { slug: workspace.slug }, within(manager))).toEqual({
      success: true,
    });
    expect(await history()).toEqual([]);
  });

  it("stay when who changed them is gone, and the oldest make room", async () => {
    carrel.accounts.add(60, "leaving", "manager");
    for (const prompt of ["One.", "Two."]) await set(prompt, person(60, "manager"));
    expect(await history()).toEqual([{ prompt: "One.", by: "leaving" }]);
    carrel.accounts.users.delete(60);
    await carrel.tell(userDeleted, { userId: 60 });
    await eventually(async () => (await history())[0]?.by === null);
    const long = (index: number): string => `${index} `.padEnd(99_000, '"');
    for (let index = 0; index < 9; index += 1) await set(long(index));
    expect((await history()).map(({ prompt }) => prompt.slice(0, 2))).toEqual([
      "7 ",
      "6 ",
      "5 ",
      "4 ",
    ]);
  });
});

describe("the default prompt", () => {
  it("is the built-in one until an admin sets another, and chat is told", async () => {
    const read = async (): Promise<string[]> => {
      const { defaultSystemPrompt, saneDefaultSystemPrompt, success } = await request(
        getDefaultSystemPrompt,
        {},
        as(member),
      );
      expect({ success, saneDefaultSystemPrompt }).toEqual({
        success: true,
        saneDefaultSystemPrompt: builtInSystemPrompt,
      });
      return [
        defaultSystemPrompt,
        (await request(getWorkspaceSettings, {}, within(member))).defaultPrompt ?? "",
      ];
    };
    expect(builtInSystemPrompt).toMatch(
      /^Given the following conversation, relevant context, and a follow up question, reply with an answer/,
    );
    expect(await read()).toEqual([builtInSystemPrompt, builtInSystemPrompt]);
    const told: unknown[] = [];
    const stop = carrel.shared.messaging.broadcast.on(`event:${settingsChanged.name}`, (payload) =>
      told.push(payload),
    );
    await listening(carrel.shared.messaging, settingsChanged);
    expect(
      await request(
        setDefaultSystemPrompt,
        { defaultSystemPrompt: " Be brief.\nAlways. " },
        as(admin),
      ),
    ).toEqual({ success: true, message: "Default system prompt updated successfully." });
    // At once, and once more by the outbox.
    expect(told[0]).toEqual({ keys: ["default_system_prompt"] });
    stop();
    expect(await read()).toEqual(["Be brief.\nAlways.", "Be brief.\nAlways."]);
    // The other way to the same row.
    await request(
      updatePreferences,
      { preferences: { default_system_prompt: "Be kind." } },
      as(admin),
    );
    expect(await read()).toEqual(["Be kind.", "Be kind."]);
    for (const blank of ["", "  ", null, undefined, builtInSystemPrompt]) {
      await request(setDefaultSystemPrompt, { defaultSystemPrompt: "Other." }, as(admin));
      await request(setDefaultSystemPrompt, { defaultSystemPrompt: blank }, as(admin));
      expect(await read()).toEqual([builtInSystemPrompt, builtInSystemPrompt]);
    }
    for (const principal of [manager, member, nobody])
      await expect(
        request(setDefaultSystemPrompt, { defaultSystemPrompt: "Mine." }, as(principal)),
      ).rejects.toMatchObject({ code: "FORBIDDEN" });
  });
});
