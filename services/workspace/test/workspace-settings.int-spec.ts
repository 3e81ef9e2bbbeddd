import { randomUUID } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { listening } from "@carrel/testing";
import {
  createWorkspace,
  deleteWorkspace,
  findWorkspacePicture,
  getWorkspaceSettings,
  instancePrincipal,
  listAdminWorkspacePage,
  listSuggestedMessages,
  listWorkspacePage,
  listWorkspaceProviders,
  listWorkspaces,
  searchWorkspaces,
  servicePrincipal,
  setSuggestedMessages,
  setWorkspacePicture,
  updateMembers,
  updateSettings,
  updateWorkspace,
  workspaceUpdated,
  type Args,
  type Principal,
  type Scope,
  type WorkspaceWire,
} from "@carrel/contracts";
import {
  apiKey,
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
let vendor: Server;
let asked: string[] = [];
const as = (principal: Principal): Scope => scopeOf(principal);
const within = (
  principal: Principal,
  { id, slug }: { id: number; slug: string } = workspace,
): Scope => scopeOf(principal, { id, slug });
const read = async (principal: Principal = admin): Promise<WorkspaceWire> =>
  (await request(getWorkspaceSettings, {}, within(principal))).workspace;
const update = (fields: Partial<Args<typeof updateWorkspace>>, principal: Principal = admin) =>
  request(updateWorkspace, { slug: workspace.slug, ...fields }, within(principal));
/** How often `workspace.updated` of this workspace was told before the answer. */
async function told(act: () => Promise<unknown>): Promise<number> {
  let count = 0;
  const stop = carrel.shared.messaging.broadcast.on(`event:${workspaceUpdated.name}`, (payload) => {
    if ((payload as { workspaceId: number }).workspaceId === workspace.id) count += 1;
  });
  await listening(carrel.shared.messaging, workspaceUpdated);
  await act();
  stop();
  return count;
}

beforeAll(async () => {
  carrel = await startWorkspaceInstance();
  request = carrel.request;
  carrel.accounts.add(3, "mia");
  vendor = createServer((incoming, reply) => {
    asked.push(`${incoming.url} ${incoming.headers.authorization ?? ""}`);
    if (incoming.url?.startsWith("/silent") === true) return;
    reply.setHeader("content-type", "application/json").end(
      JSON.stringify({
        object: "list",
        data: [
          { id: "small", object: "model" },
          { id: "large", object: "model" },
        ],
      }),
    );
  });
  await new Promise<void>((resolve) => {
    vendor.listen(0, "127.0.0.1", resolve);
  });
});
afterAll(async () => {
  vendor.closeAllConnections();
  vendor.close();
  await carrel.stop();
});
beforeEach(async () => {
  workspace = (
    await request(
      createWorkspace,
      { name: `Room ${randomUUID()}`, onboardingComplete: true },
      as(admin),
    )
  ).workspace!;
  await request(updateMembers, { id: workspace.id, userIds: [3] }, as(admin));
});

describe("fields of a workspace", () => {
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
    ["chatMode", "automatic", "chat"],
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
  it.each(rules)("%s %j becomes %j", async (field, sent, kept) => {
    const reply = await request(
      updateWorkspace,
      { slug: workspace.slug, [field]: sent } as never,
      within(admin),
    );
    expect(reply.message).toBeNull();
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
  ])("%s %j is a fault", async (field, sent) => {
    const before = await read();
    await expect(
      request(updateWorkspace, { slug: workspace.slug, [field]: sent } as never, within(admin)),
    ).rejects.toMatchObject({ code: "BAD_INPUT" });
    expect(await read()).toEqual(before);
  });

  it("that are unknown or not to be written change nothing", async () => {
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
    ).toEqual({ workspace: { id: workspace.id }, message: "No valid fields to update!" });
    expect(await read()).toEqual(before);
  });

  it("a provider that Carrel does not know is refused in words, and nothing else of the update is kept", async () => {
    for (const field of ["chatProvider", "agentProvider"] as const) {
      expect(await update({ [field]: "anythingllm-router", topN: 9 })).toEqual({
        workspace: { id: workspace.id },
        message: "anythingllm-router is not a valid LLM provider.",
      });
    }
    // An embedder of that name chats with nobody.
    expect((await update({ chatProvider: "native" })).message).toBe(
      "native is not a valid LLM provider.",
    );
    expect(await read()).toMatchObject({ topN: 4, chatProvider: null });
  });

  it("going back to the instance’s provider takes the model back", async () => {
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

  it("too long for any use are refused", async () => {
    await expect(update({ openAiPrompt: "x".repeat(100_001) })).rejects.toMatchObject({
      code: "BAD_INPUT",
    });
    expect((await update({ openAiPrompt: '"'.repeat(100_000) })).message).toBeNull();
  });
});

/** Who may use the workspace, and who may manage it. */
const rights: [string, Principal, boolean, boolean][] = [
  ["the instance", instancePrincipal, true, true],
  ["an API key", apiKey, true, true],
  ["an admin", admin, true, true],
  ["a manager", manager, true, true],
  ["Carrel itself", servicePrincipal, true, true],
  ["a member", member, true, false],
  ["the extension of a member", person(3, "default", "extension"), true, false],
  ["a stranger", stranger, false, false],
  ["nobody", nobody, false, false],
];

describe("suggested messages", () => {
  const set = (
    messages: Args<typeof setSuggestedMessages>["messages"],
    principal: Principal = manager,
  ) => request(setSuggestedMessages, { slug: workspace.slug, messages }, within(principal));
  const list = async (principal: Principal = member) =>
    (await request(listSuggestedMessages, { slug: workspace.slug }, within(principal)))
      .suggestedMessages;

  it("are replaced whole, in their order, without empty ones", async () => {
    expect(await list()).toEqual([]);
    expect(
      await told(async () => {
        expect(
          await set([
            { heading: "Begin", message: "What is this?" },
            { heading: " ", message: null },
            { message: "Only a message" },
          ]),
        ).toEqual({ success: true, message: "Suggested messages saved successfully." });
      }),
    ).toBeGreaterThan(0);
    expect(await list()).toEqual([
      { heading: "Begin", message: "What is this?" },
      { heading: "", message: "Only a message" },
    ]);
    await set([{ heading: "Other", message: "x" }]);
    expect(await list()).toEqual([{ heading: "Other", message: "x" }]);
    await set([]);
    expect(await list()).toEqual([]);
  });

  it("set by many at once end as one of the sets", async () => {
    const sets = Array.from({ length: 10 }, (_, index) =>
      Array.from({ length: 1 + (index % 4) }, (_each, place) => ({
        heading: `${index}`,
        message: `${place}`,
      })),
    );
    await Promise.all(sets.map((messages) => set(messages)));
    expect(sets).toContainEqual(await list());
  });

  it.each(rights)("%s", async (_name, principal, uses, manages) => {
    await set([{ heading: "Before", message: "x" }], admin);
    if (uses) expect(await list(principal)).toEqual([{ heading: "Before", message: "x" }]);
    else await expect(list(principal)).rejects.toMatchObject({ code: "WORKSPACE_NOT_FOUND" });
    if (manages) await set([{ heading: "After", message: "x" }], principal);
    else
      await expect(set([{ heading: "After", message: "x" }], principal)).rejects.toMatchObject({
        code: "FORBIDDEN",
      });
    expect(await list(admin)).toEqual([{ heading: manages ? "After" : "Before", message: "x" }]);
  });
});

describe("the picture", () => {
  const set = (key: string | null, principal: Principal = manager) =>
    request(setWorkspacePicture, { key }, within(principal));

  it.each(rights)("%s", async (_name, principal, uses, manages) => {
    await set("picture/before");
    if (uses)
      expect(await request(findWorkspacePicture, {}, within(principal))).toEqual({
        key: "picture/before",
      });
    else
      await expect(request(findWorkspacePicture, {}, within(principal))).rejects.toMatchObject({
        code: "WORKSPACE_NOT_FOUND",
      });
    if (manages)
      expect(await set("picture/after", principal)).toEqual({ previous: "picture/before" });
    else await expect(set("picture/after", principal)).rejects.toMatchObject({ code: "FORBIDDEN" });
  });

  it("is a name on the wire, tells which blob is free, and goes with the workspace", async () => {
    expect(
      await told(async () => expect(await set("picture/one")).toEqual({ previous: null })),
    ).toBeGreaterThan(0);
    expect((await read()).pfpFilename).toBe("one.webp");
    // A second delivery frees nothing.
    expect(await set("picture/one")).toEqual({ previous: null });
    expect(await set(null)).toEqual({ previous: "picture/one" });
    expect((await read()).pfpFilename).toBeNull();
    await set("picture/two");
    const gone = within(admin);
    expect(await request(deleteWorkspace, { slug: workspace.slug }, gone)).toEqual({
      pictureKey: "picture/two",
    });
    expect(await request(deleteWorkspace, { slug: workspace.slug }, gone)).toEqual({
      pictureKey: null,
    });
    await expect(
      request(setWorkspacePicture, { key: "picture/three" }, gone),
    ).rejects.toMatchObject({ code: "WORKSPACE_NOT_FOUND" });
  });
});

describe("providers that a workspace can be set to", () => {
  const list = (principal: Principal = manager) =>
    request(listWorkspaceProviders, { slug: workspace.slug }, within(principal));
  const set = (values: Record<string, string>) => request(updateSettings, { values }, as(admin));

  it("are those that are set up, with their models and without a secret", async () => {
    expect(await list()).toEqual({
      instance: { provider: "extractive", model: null },
      providers: [
        { id: "extractive", name: "Quotes from your documents", model: null, models: [] },
      ],
    });
    const { port } = vendor.address() as AddressInfo;
    expect(
      (
        await set({
          LLMProvider: "generic-openai",
          GenericOpenAiBasePath: `http://127.0.0.1:${port}/v1`,
          GenericOpenAiKey: "sk-very-secret",
          GenericOpenAiModelPref: "small",
          GenericOpenAiTokenLimit: "4096",
          GenericOpenAiMaxTokens: "512",
        })
      ).error,
    ).toBe(false);
    asked = [];
    const replies = await Promise.all(Array.from({ length: 6 }, () => list()));
    const ready = replies[0]!;
    expect(ready.instance).toEqual({ provider: "generic-openai", model: "small" });
    expect(ready.providers.map(({ id }) => id)).toEqual(["extractive", "generic-openai"]);
    expect(ready.providers[1]).toMatchObject({
      model: "small",
      models: [
        { id: "large", name: "large" },
        { id: "small", name: "small" },
      ],
    });
    expect(JSON.stringify(replies)).not.toMatch(/very-secret|127\.0\.0\.1/);
    // Once for each replica, however many ask.
    expect(asked.length).toBeLessThanOrEqual(2);
    expect(asked[0]).toContain("Bearer sk-very-secret");
  });

  it("a server that says nothing gives no models after three seconds", async () => {
    const { port } = vendor.address() as AddressInfo;
    await set({ GenericOpenAiBasePath: `http://127.0.0.1:${port}/silent/v1` });
    const begun = performance.now();
    const { providers } = await list();
    expect(performance.now() - begun).toBeLessThan(30_000); // a hang
    expect(providers.find(({ id }) => id === "generic-openai")?.models).toEqual([]);
  });

  it.each(rights.filter(([, , , manages]) => !manages))("%s may not", async (_name, principal) => {
    await expect(list(principal)).rejects.toMatchObject({ code: "FORBIDDEN" });
  });
});

it("a list too large for one reply comes in pages, with all of it once", async () => {
  const before = (await request(listWorkspaces, {}, as(admin))).workspaces.length;
  await carrel.sql.query(
    `INSERT INTO workspace.workspace (slug, name, system_prompt) SELECT 'long-' || n, 'Long ' || n, repeat('"', 100000) FROM generate_series(1, 12) AS n`,
  );
  await expect(request(listWorkspaces, {}, as(admin))).rejects.toMatchObject({ code: "TOO_LARGE" });
  // More rows than one page reads, too.
  await carrel.sql.query(
    `INSERT INTO workspace.workspace (slug, name) SELECT 'long-short-' || n, 'Short ' || n FROM generate_series(1, 2100) AS n`,
  );
  for (const operation of [listWorkspacePage, listAdminWorkspacePage]) {
    const ids: number[] = [];
    let pages = 0;
    for (let after: number | null = null; pages === 0 || after !== null; pages += 1) {
      const page: { workspaces: { id: number }[]; next: number | null } = await request(
        operation,
        { after },
        as(admin),
      );
      ids.push(...page.workspaces.map(({ id }) => id));
      after = page.next;
    }
    expect(pages).toBeGreaterThan(3);
    expect(ids).toHaveLength(before + 2_112);
    expect(ids).toEqual([...new Set(ids)].toSorted((a, b) => a - b));
  }
  await expect(request(listAdminWorkspacePage, {}, as(member))).rejects.toMatchObject({
    code: "FORBIDDEN",
  });
  expect(
    (await request(listWorkspacePage, {}, as(member))).workspaces.map(({ slug }) => slug),
  ).toContain(workspace.slug);
  expect(await request(listWorkspacePage, {}, as(nobody))).toEqual({ workspaces: [], next: null });
  await carrel.sql.query(`DELETE FROM workspace.workspace WHERE slug LIKE 'long-%'`);
});

describe("searching workspaces", () => {
  const search = async (term: string, principal: Principal = member): Promise<string[]> =>
    (await request(searchWorkspaces, { term }, as(principal))).workspaces.map(({ slug }) => slug);

  it.each(rights)("%s", async (_name, principal, uses) => {
    expect((await search(workspace.name.slice(5), principal)).includes(workspace.slug)).toBe(uses);
    // With two faults.
    expect((await search(`xx${workspace.name.slice(2)}`, principal)).includes(workspace.slug)).toBe(
      uses,
    );
    expect(await search("no such workspace anywhere", principal)).toEqual([]);
  });

  it("finds among 5,000 at once, and nothing that is deleted", async () => {
    await carrel.sql.query(
      `INSERT INTO workspace.workspace (slug, name) SELECT 'bulk-' || n, 'Bulk of team ' || n FROM generate_series(1, 5000) AS n`,
    );
    const times: number[] = [];
    for (let round = 0; round < 15; round += 1) {
      const begun = performance.now();
      expect(await search("bulk of team 4711", admin)).toContain("bulk-4711");
      times.push(performance.now() - begun);
    }
    const median = times.toSorted((a, b) => a - b)[7]!;
    // The whole way: queue, PostgreSQL, search and answer.
    expect(median).toBeLessThan(5_000);
    process.stdout.write(
      `search of 5,000 workspaces, request to answer: median ${median.toFixed(1)} ms\n`,
    );
    await request(deleteWorkspace, { slug: workspace.slug }, within(admin));
    expect(await search(workspace.name, admin)).toEqual([]);
    await carrel.sql.query(`DELETE FROM workspace.workspace WHERE slug LIKE 'bulk-%'`);
    expect(
      (await request(listWorkspaces, {}, as(admin))).workspaces.every(
        ({ slug }) => !slug.startsWith("bulk-"),
      ),
    ).toBe(true);
  });
});
