import { randomUUID } from "node:crypto";
import {
  createPreset,
  deletePreset,
  instancePrincipal,
  listPresets,
  multiUserEnabled,
  resolvePromptParts,
  servicePrincipal,
  updateMembers,
  updatePreset,
  userDeleted,
  type Principal,
  type WorkspaceWire,
} from "@carrel/contracts";
import { waitFor } from "@carrel/testing";
import { beforeEach, describe, expect, it } from "@jest/globals";
import { apiKey, instance, person, startWorkspaceInstance } from "./workspace-instance.ts";
import {
  admin,
  anonymous,
  as,
  manager,
  member,
  stranger,
  startWorkspaceSuite,
} from "./workspace-suite.ts";

const { carrel, current, request, within } = await startWorkspaceSuite();
let workspace: WorkspaceWire;
const unique = (): string => randomUUID().slice(0, 8);

beforeEach(() => {
  workspace = current();
});

describe("slash commands", () => {
  it("are normalized, and creating a duplicate returns the existing one", async () => {
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
    // Concurrently, from both replicas.
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

  it("without a name get a generated one, the same for the same request", async () => {
    const key = randomUUID();
    const made = await Promise.all(
      [0, 1].map(() => request(createPreset, { command: "", prompt: "Explain." }, as(member), key)),
    );
    expect(made[0]!.preset.command).toMatch(/^\/[0-9a-f]{8}$/);
    expect(made[1]).toEqual(made[0]);
  });

  it.each(["/reset", "RESET", " /img ", "exit"])("%j is reserved for Carrel", async (command) => {
    const refused = {
      kind: "BAD_INPUT",
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
  it.each(owners)("%s: sees, changes and deletes only their own", async (_name, principal, may) => {
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
        kind: "NOT_FOUND",
        message: "Preset not found",
      });
    const deleted = request(deletePreset, { id: preset.id }, as(principal));
    if (may) await deleted;
    else await expect(deleted).rejects.toMatchObject({ kind: "NOT_FOUND" });
    expect(
      (await request(listPresets, {}, as(member))).presets.some(({ id }) => id === preset.id),
    ).toBe(!may);
  });

  it("belong to no one without a session", async () => {
    for (const principal of [anonymous, servicePrincipal])
      await expect(request(listPresets, {}, as(principal))).rejects.toMatchObject({
        kind: "FORBIDDEN",
      });
  });

  it("can't take another command's name, and deletion is idempotent", async () => {
    const [first, second] = [unique(), unique()];
    const { preset } = await request(createPreset, { command: first, prompt: "x" }, as(member));
    await request(createPreset, { command: second, prompt: "x" }, as(member));
    await expect(
      request(updatePreset, { id: preset.id, command: second, prompt: "x" }, as(member)),
    ).rejects.toMatchObject({ kind: "CONFLICT" });
    const key = randomUUID();
    await Promise.all([0, 1].map(() => request(deletePreset, { id: preset.id }, as(member), key)));
    await expect(request(deletePreset, { id: preset.id }, as(member))).rejects.toMatchObject({
      kind: "NOT_FOUND",
    });
  });

  it("are limited in total and always fit into one reply", async () => {
    const owner = as(person(70));
    carrel.accounts.add(70, "collector");
    const long = '"\\'.repeat(10_000);
    let made = 0;
    const fill = async (): Promise<void> => {
      for (; made < 30; made += 1)
        await request(createPreset, { command: `long-${made}`, prompt: long }, owner);
    };
    await expect(fill()).rejects.toMatchObject({ kind: "BAD_INPUT" });
    expect(made).toBe(12);
    expect((await request(listPresets, {}, owner)).presets).toHaveLength(12);
    await request(updateMembers, { id: workspace.id, userIds: [70] }, as(admin));
    expect((await request(resolvePromptParts, {}, within(person(70)))).presets).toHaveLength(12);
  });

  it("are deleted with their owner", async () => {
    carrel.accounts.add(50, "gone");
    await request(createPreset, { command: unique(), prompt: "x" }, as(person(50)));
    carrel.accounts.users.delete(50);
    await carrel.tell(userDeleted, { userId: 50 });
    await waitFor(
      async () => (await request(listPresets, {}, as(person(50)))).presets.length === 0,
    );
  });
});

it("commands of the instance go to the first admin when accounts are enabled, renamed if necessary", async () => {
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
    await waitFor(async () => (await listed()).length === 3);
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
