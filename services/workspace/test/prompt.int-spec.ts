import { randomUUID } from "node:crypto";
import {
  builtInSystemPrompt,
  clearPromptHistory,
  deletePromptHistoryEntry,
  deleteWorkspace,
  getDefaultSystemPrompt,
  getWorkspaceSettings,
  listPromptHistory,
  setDefaultSystemPrompt,
  settingsChanged,
  updatePreferences,
  updateWorkspace,
  userDeleted,
  type Principal,
  type WorkspaceWire,
} from "@carrel/contracts";
import { listening, waitFor } from "@carrel/testing";
import { beforeEach, describe, expect, it } from "@jest/globals";
import { person } from "./workspace-instance.ts";
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

beforeEach(() => {
  workspace = current();
});

describe("prompt history", () => {
  const set = (openAiPrompt: string | null, principal: Principal = manager): Promise<unknown> =>
    request(updateWorkspace, { slug: workspace.slug, openAiPrompt }, within(principal));
  const history = async (
    principal: Principal = member,
  ): Promise<{ prompt: string; by: string | null }[]> =>
    (await request(listPromptHistory, { slug: workspace.slug }, within(principal))).history.map(
      ({ prompt, user }) => ({ prompt, by: user?.username ?? null }),
    );

  it("keeps the workspace's own previous prompts", async () => {
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

  it("excludes the instance's default", async () => {
    await request(setDefaultSystemPrompt, { defaultSystemPrompt: "House rules." }, as(admin));
    await set("House rules.");
    await set("Own.");
    expect(await history()).toEqual([]);
    await request(setDefaultSystemPrompt, { defaultSystemPrompt: "" }, as(admin));
  });

  it("deletes entries one by one, only for managers and in existing workspaces", async () => {
    for (const prompt of ["One.", "Two.", "Three."]) await set(prompt);
    const [two, one] = (await request(listPromptHistory, { slug: workspace.slug }, within(member)))
      .history;
    for (const principal of [member, stranger, anonymous])
      await expect(
        request(deletePromptHistoryEntry, { id: two!.id }, as(principal)),
      ).rejects.toMatchObject({ kind: "FORBIDDEN" });
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

  it("is cleared by managers, visible to members and unknown to others", async () => {
    for (const prompt of ["One.", "Two."]) await set(prompt);
    await expect(
      request(clearPromptHistory, { slug: workspace.slug }, within(member)),
    ).rejects.toMatchObject({ kind: "FORBIDDEN" });
    await expect(history(stranger)).rejects.toMatchObject({ kind: "WORKSPACE_NOT_FOUND" });
    expect(await history()).toHaveLength(1);
    expect(await request(clearPromptHistory, { slug: workspace.slug }, within(manager))).toEqual({
      success: true,
    });
    expect(await history()).toEqual([]);
  });

  it("outlives the users who changed it and drops the oldest entries", async () => {
    carrel.accounts.add(60, "leaving", "manager");
    for (const prompt of ["One.", "Two."]) await set(prompt, person(60, "manager"));
    expect(await history()).toEqual([{ prompt: "One.", by: "leaving" }]);
    carrel.accounts.users.delete(60);
    await carrel.tell(userDeleted, { userId: 60 });
    await waitFor(async () => (await history())[0]?.by === null);
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
  it("is the built-in one until an admin sets another, and chat is notified", async () => {
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
    const received: unknown[] = [];
    const stop = carrel.shared.messaging.broadcast.on(`event:${settingsChanged.name}`, (payload) =>
      received.push(payload),
    );
    await listening(carrel.shared.messaging, settingsChanged);
    expect(
      await request(
        setDefaultSystemPrompt,
        { defaultSystemPrompt: " Be brief.\nAlways. " },
        as(admin),
      ),
    ).toEqual({ success: true, message: "Default system prompt updated successfully." });
    // The change arrives by broadcast, and again through the outbox.
    expect(received[0]).toEqual({ keys: ["default_system_prompt"] });
    stop();
    expect(await read()).toEqual(["Be brief.\nAlways.", "Be brief.\nAlways."]);
    // Changes the same row through the preferences API.
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
    for (const principal of [manager, member, anonymous])
      await expect(
        request(setDefaultSystemPrompt, { defaultSystemPrompt: "Mine." }, as(principal)),
      ).rejects.toMatchObject({ kind: "FORBIDDEN" });
  });
});
