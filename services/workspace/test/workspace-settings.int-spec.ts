import {
  getWorkspaceSettings,
  updateWorkspace,
  type Args,
  type Principal,
  type WorkspaceWire,
} from "@carrel/contracts";
import { beforeEach, describe, expect, it } from "@jest/globals";
import { admin, startWorkspaceSuite } from "./workspace-suite.ts";

const { current, request, within } = await startWorkspaceSuite();
let workspace: WorkspaceWire;
const read = async (principal: Principal = admin): Promise<WorkspaceWire> =>
  (await request(getWorkspaceSettings, {}, within(principal))).workspace;
const update = (fields: Partial<Args<typeof updateWorkspace>>, principal: Principal = admin) =>
  request(updateWorkspace, { slug: workspace.slug, ...fields }, within(principal));

beforeEach(() => {
  workspace = current();
});

describe("workspace fields", () => {
  const rules: [keyof WorkspaceWire, unknown, unknown][] = [
    ["name", "Papers", "Papers"],
    ["name", " ", "My Workspace"],
    ["name", null, "My Workspace"],
    ["name", "x".repeat(300), "x".repeat(255)],
    ["openAiTemp", 0.7, 0.7],
    ["openAiTemp", "0.5", 0.5],
    ["openAiTemp", -1, null],
    ["openAiTemp", "warm", null],
    ["openAiTemp", null, null],
    ["openAiTemp", "", null],
    ["openAiHistory", 45, 45],
    ["openAiHistory", "12", 12],
    ["openAiHistory", -5, 0],
    ["openAiHistory", "NaN", 20],
    ["openAiHistory", null, 20],
    ["openAiHistory", 3.9, 3],
    ["similarityThreshold", 0.5, 0.5],
    ["similarityThreshold", 7, 1],
    ["similarityThreshold", -7, 0],
    ["similarityThreshold", "x", 0.25],
    ["topN", 9, 9],
    ["topN", 0, 4],
    ["topN", -3, 4],
    ["topN", "x", 4],
    ["topN", null, 4],
    ["chatMode", "query", "query"],
    ["chatMode", "automatic", "automatic"],
    ["chatMode", null, "chat"],
    ["chatProvider", "ollama", "ollama"],
    ["chatProvider", "none", null],
    ["chatProvider", "", null],
    ["chatProvider", null, null],
    ["chatModel", "llama3", "llama3"],
    ["chatModel", " ", null],
    ["agentProvider", "openai", "openai"],
    ["agentProvider", "none", null],
    ["agentProvider", "default", null],
    ["agentModel", "gpt", "gpt"],
    ["queryRefusalResponse", "Nothing.", "Nothing."],
    ["queryRefusalResponse", "", null],
    ["openAiPrompt", "Be brief.", "Be brief."],
    ["vectorSearchMode", "rerank", "rerank"],
    ["vectorSearchMode", "fast", "default"],
    ["vectorSearchMode", null, "default"],
    ["lastUpdatedAt", "2026-03-01T10:00:00.000Z", "2026-03-01T10:00:00.000Z"],
    ["lastUpdatedAt", 1_772_359_200_000, "2026-03-01T10:00:00.000Z"],
  ];
  it.each(rules)("stores %s %j as %j", async (field, sent, kept) => {
    const reply = await request(
      updateWorkspace,
      { slug: workspace.slug, [field]: sent } as never,
      within(admin),
    );
    expect(reply.fault).toBeNull();
    expect(reply.workspace).toMatchObject({ [field]: kept });
    expect((await read())[field]).toEqual(kept);
  });

  it.each([
    ["name", 7],
    ["openAiTemp", {}],
    ["openAiHistory", []],
    ["similarityThreshold", true],
    ["chatMode", 3],
    ["agentModel", {}],
    ["openAiPrompt", []],
  ])("refuses %s %j", async (field, sent) => {
    const before = await read();
    await expect(
      request(updateWorkspace, { slug: workspace.slug, [field]: sent } as never, within(admin)),
    ).rejects.toMatchObject({ kind: "BAD_INPUT" });
    expect(await read()).toEqual(before);
  });

  it("ignores unknown and read-only fields", async () => {
    const before = await read();
    expect(
      await request(
        updateWorkspace,
        {
          slug: workspace.slug,
          vectorTag: "x",
          pfpFilename: "x",
          router_id: 4,
          lastUpdatedAt: "x",
          id: 9,
        } as never,
        within(admin),
      ),
    ).toEqual({
      workspace: { id: workspace.id },
      fault: { code: "workspace.nothing-to-update" },
    });
    expect(await read()).toEqual(before);
  });

  it("rejects an unknown provider and saves nothing else of the update", async () => {
    for (const field of ["chatProvider", "agentProvider"] as const) {
      expect(await update({ [field]: "anythingllm-router", topN: 9 })).toEqual({
        workspace: { id: workspace.id },
        fault: {
          code: "setting.language-provider-unknown",
          params: { provider: "anythingllm-router" },
        },
      });
    }
    // An embedding provider can't be used for chat.
    expect((await update({ chatProvider: "native" })).fault).toEqual({
      code: "setting.language-provider-unknown",
      params: { provider: "native" },
    });
    expect(await read()).toMatchObject({ topN: 4, chatProvider: null });
  });

  it("clears the model when reverting to the instance's provider", async () => {
    await update({
      chatProvider: "ollama",
      chatModel: "llama3",
      agentProvider: "openai",
      agentModel: "gpt",
    });
    expect(await read()).toMatchObject({
      chatProvider: "ollama",
      chatModel: "llama3",
      agentProvider: "openai",
      agentModel: "gpt",
    });
    await update({
      chatProvider: "default",
      chatModel: "llama3",
      agentProvider: "default",
      agentModel: "gpt",
    });
    expect(await read()).toMatchObject({
      chatProvider: null,
      chatModel: null,
      agentProvider: null,
      agentModel: null,
    });
    await update({ chatProvider: "ollama", chatModel: "llama3" });
    await update({ chatProvider: null });
    expect(await read()).toMatchObject({ chatProvider: null, chatModel: null });
  });

  it("refuses values that are too long", async () => {
    await expect(update({ openAiPrompt: "x".repeat(100_001) })).rejects.toMatchObject({
      kind: "BAD_INPUT",
    });
    expect((await update({ openAiPrompt: '"'.repeat(100_000) })).fault).toBeNull();
  });
});

/** Whether each caller may use and manage the workspace. */
