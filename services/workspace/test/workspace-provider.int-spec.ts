import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import {
  allowedModelsLabel,
  fallbackModelsLabel,
  getInstanceFallbacks,
  getWorkspaceFallbacks,
  getWorkspaceSettings,
  listAdminWorkspacePage,
  listProviders,
  listWorkspaceIds,
  listWorkspaceProviders,
  listWorkspaces,
  readWorkspacePage,
  resolveSettings,
  setInstanceFallbacks,
  setWorkspaceFallbacks,
  threadModelsLabel,
  updatePreferences,
  updateSettings,
  updateWorkspace,
  type FallbackModels,
  type Principal,
  type WorkspaceWire,
} from "@carrel/contracts";
import { warmLanguageProvider } from "@carrel/providers";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { callerRights } from "./caller-rights.ts";
import { admin, anonymous, as, manager, member, startWorkspaceSuite } from "./workspace-suite.ts";

const { carrel, current, request, within } = await startWorkspaceSuite();
let workspace: WorkspaceWire;
let vendor: Server;
let asked: string[] = [];

beforeAll(async () => {
  // Jest takes seconds to load an SDK, longer than a list of models may take.
  await warmLanguageProvider("generic-openai");
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
});
beforeEach(() => {
  workspace = current();
});

describe("providers available to a workspace", () => {
  const list = (principal: Principal = manager) =>
    request(listWorkspaceProviders, { slug: workspace.slug }, within(principal));
  const set = (values: Record<string, string>) => request(updateSettings, { values }, as(admin));

  it("are those that are set up, with their models but without secrets", async () => {
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
      ).fault,
    ).toBeNull();
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
    // Once per replica, however many callers ask.
    expect(asked.length).toBeLessThanOrEqual(2);
    expect(asked[0]).toContain("Bearer sk-very-secret");
  });

  it("are listed for everyone who may choose the model of a thread", async () => {
    await expect(list(member)).rejects.toMatchObject({ kind: "FORBIDDEN" });
    const write = (value: string) =>
      request(updatePreferences, { preferences: { [threadModelsLabel]: value } }, as(admin));
    await write("true");
    expect(await list(member)).toEqual(await list());
    await write("false");
    await expect(list(member)).rejects.toMatchObject({ kind: "FORBIDDEN" });
  });

  it("are limited to the models that an admin allows, which managers can't circumvent", async () => {
    const allow = (models: Record<string, string[] | null>) =>
      request(updatePreferences, { preferences: { [allowedModelsLabel]: models } }, as(admin));
    const offered = async () =>
      (await list()).providers.map(({ id, model, models }) => [id, model, models.map((m) => m.id)]);
    const use = (
      principal: Principal,
      chatModel: string | null,
      chatProvider: string | null = "generic-openai",
    ) =>
      request(
        updateWorkspace,
        { slug: workspace.slug, chatProvider, chatModel },
        within(principal),
      );
    await allow({ "generic-openai": ["large", "unlisted"] });
    expect(await offered()).toEqual([
      ["extractive", null, []],
      ["generic-openai", null, ["large", "unlisted"]],
    ]);
    // Another admin's page doesn't know this limit, and changes only its own.
    await allow({ openai: ["gpt"] });
    expect((await request(listProviders, {}, as(admin))).allowed).toEqual({
      "generic-openai": ["large", "unlisted"],
      openai: ["gpt"],
    });
    await expect(use(manager, "small")).rejects.toMatchObject({ kind: "SETTING_REFUSED" });
    await expect(use(manager, "small", null)).rejects.toMatchObject({ kind: "SETTING_REFUSED" });
    await expect(use(manager, null)).rejects.toMatchObject({ kind: "SETTING_REFUSED" });
    expect((await use(manager, "large")).fault).toBeNull();
    expect((await use(manager, null, null)).fault).toBeNull();
    expect((await use(manager, "large")).fault).toBeNull();
    expect((await use(admin, "small")).fault).toBeNull();
    // A model that is already set is kept.
    expect((await use(manager, "small")).fault).toBeNull();
    await allow({ "generic-openai": [] });
    expect(await offered()).toEqual([["extractive", null, []]]);
    await allow({ "generic-openai": null, openai: null });
    expect(await offered()).toContainEqual(["generic-openai", "small", ["large", "small"]]);
  });

  it("have no models if the server doesn't respond within three seconds", async () => {
    const { port } = vendor.address() as AddressInfo;
    await set({ GenericOpenAiBasePath: `http://127.0.0.1:${port}/silent/v1` });
    const begun = performance.now();
    const { providers } = await list();
    expect(performance.now() - begun).toBeLessThan(30_000); // Anything longer would be a hang.
    expect(providers.find(({ id }) => id === "generic-openai")?.models).toEqual([]);
  });

  it.each(callerRights.filter(([, , , manages]) => !manages))(
    "%s may not list them",
    async (_name, principal) => {
      await expect(list(principal)).rejects.toMatchObject({ kind: "FORBIDDEN" });
    },
  );
});

interface IdPage {
  workspaces: { id: number }[];
  next: number | null;
}

it("a list too large for one reply is paged without gaps or duplicates", async () => {
  const before = (await request(listWorkspaces, {}, as(admin))).workspaces.length;
  await carrel.sql.query(
    `INSERT INTO workspace.workspace (slug, name, system_prompt)
    SELECT 'long-' || n, 'Long ' || n, repeat('"', 100000)
    FROM generate_series(1, 12) AS n`,
  );
  await expect(request(listWorkspaces, {}, as(admin))).rejects.toMatchObject({ kind: "TOO_LARGE" });
  // More rows than one page reads.
  await carrel.sql.query(
    `INSERT INTO workspace.workspace (slug, name)
    SELECT 'long-short-' || n, 'Short ' || n
    FROM generate_series(1, 2100) AS n`,
  );
  const readPage = async (after: number | null, principal = admin): Promise<IdPage> => {
    const { page } = await request(readWorkspacePage, { after }, as(principal));
    const { items, next } = page!;
    return { workspaces: JSON.parse(`[${items}]`) as WorkspaceWire[], next };
  };
  const listPage = (after: number | null): Promise<IdPage> =>
    request(listAdminWorkspacePage, { after }, as(admin));
  for (const read of [readPage, listPage]) {
    const ids: number[] = [];
    let pages = 0;
    for (let after: number | null = null; pages === 0 || after !== null; pages += 1) {
      const page = await read(after);
      ids.push(...page.workspaces.map(({ id }) => id));
      after = page.next;
    }
    expect(pages).toBeGreaterThan(3);
    expect(ids).toHaveLength(before + 2_112);
    expect(ids).toEqual([...new Set(ids)].toSorted((a, b) => a - b));
    expect(await request(listWorkspaceIds, {}, as(admin))).toEqual({ ids, next: null });
  }
  await expect(request(listAdminWorkspacePage, {}, as(member))).rejects.toMatchObject({
    kind: "FORBIDDEN",
  });
  expect((await readPage(null, member)).workspaces.map(({ id }) => id)).toContain(workspace.id);
  expect(await readPage(null, anonymous)).toEqual({ workspaces: [], next: null });
  expect((await request(listWorkspaceIds, {}, as(member))).ids).toContain(workspace.id);
  expect(await request(listWorkspaceIds, {}, as(anonymous))).toEqual({ ids: [], next: null });
  await carrel.sql.query(`DELETE FROM workspace.workspace WHERE slug LIKE 'long-%'`);
});

describe("models that answer when the chosen one can't", () => {
  const get = (principal: Principal = manager) =>
    request(getWorkspaceFallbacks, { slug: workspace.slug }, within(principal));
  const set = (models: FallbackModels | null, principal: Principal = manager) =>
    request(setWorkspaceFallbacks, { slug: workspace.slug, models }, within(principal));
  const setInstance = (models: FallbackModels) =>
    request(setInstanceFallbacks, { models }, as(admin));
  const allow = (models: string[] | null) =>
    request(
      updatePreferences,
      { preferences: { [allowedModelsLabel]: { "generic-openai": models } } },
      as(admin),
    );
  const model = (name: string | null): FallbackModels[number] => ({
    provider: "generic-openai",
    model: name,
  });

  it("are the instance's, unless the workspace has its own, which chat reads with the settings", async () => {
    const read = async () => {
      const { values } = await request(resolveSettings, {}, as(admin));
      return {
        own: (await request(getWorkspaceSettings, {}, within(manager))).fallbackModels,
        instance: JSON.parse(values[fallbackModelsLabel] ?? "null") as unknown,
      };
    };
    expect(await get()).toMatchObject({ models: null, instance: [] });
    expect(await read()).toEqual({ own: null, instance: null });
    await setInstance([model("large"), model(null)]);
    await set([model("small")]);
    expect(await get()).toMatchObject({
      models: [model("small")],
      instance: [model("large"), model(null)],
    });
    expect((await request(getInstanceFallbacks, {}, as(admin))).models).toEqual([
      model("large"),
      model(null),
    ]);
    expect(await read()).toEqual({
      own: [model("small")],
      instance: [model("large"), model(null)],
    });
    await set([]);
    expect(await get()).toMatchObject({ models: [] });
    await set(null);
    await setInstance([]);
    expect(await read()).toEqual({ own: null, instance: null });
  });

  it("are of known providers, and for managers among those that an admin allows", async () => {
    await expect(set([{ provider: "unheard", model: null }])).rejects.toMatchObject({
      kind: "SETTING_REFUSED",
    });
    await expect(setInstance([{ provider: "unheard", model: null }])).rejects.toMatchObject({
      kind: "SETTING_REFUSED",
    });
    await set([model("small")]);
    await allow(["large"]);
    await set([model("large"), model("small")]);
    await expect(set([model("other")])).rejects.toMatchObject({ kind: "SETTING_REFUSED" });
    await set([model("other")], admin);
    expect((await get()).models).toEqual([model("other")]);
    await set(null);
    await allow(null);
    await expect(get(member)).rejects.toMatchObject({ kind: "FORBIDDEN" });
  });
});
