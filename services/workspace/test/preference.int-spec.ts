import {
  getOnboarding,
  listEvents,
  listPreferences,
  publicPrincipal,
  setLogo,
  setWelcomeMessages,
  updatePreferences,
  resolveSettings,
  updateSettings,
  type Principal,
  type Scope,
} from "@carrel/contracts";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import {
  apiKey,
  instance,
  person,
  scopeOf,
  service,
  startWorkspaceInstance,
  type WorkspaceInstance,
} from "./workspace-instance.ts";

const anyone: Scope = { principal: publicPrincipal, workspace: null };
const [admin, manager] = [scopeOf(person(1, "admin")), scopeOf(person(2, "manager"))];
let carrel: WorkspaceInstance;
let request: WorkspaceInstance["request"];
const read = async (labels: string, scope: Scope = admin): Promise<Record<string, unknown>> =>
  (await request(listPreferences, { labels }, scope)).settings;
const write = (preferences: Record<string, unknown>, scope: Scope = admin): Promise<unknown> =>
  request(updatePreferences, { preferences }, scope);

beforeAll(async () => {
  carrel = await startWorkspaceInstance();
  request = carrel.request;
});
afterAll(() => carrel.stop());
beforeEach(async () => {
  await carrel.sql.query("DELETE FROM workspace.preference");
  await carrel.sql.query("DELETE FROM workspace.setting");
  carrel.accounts.settings = {
    ...carrel.accounts.settings,
    RequiresAuth: false,
    AuthToken: false,
    MultiUserMode: false,
  };
});

describe("preferences", () => {
  it("have the wire's defaults on a new instance", async () => {
    expect(
      await read(
        "custom_app_name, footer_data,support_email,meta_page_title,text_splitter_chunk_size,max_embed_chunk_size,feature_flags,default_agent_skills,memory_enabled,unknown_label,__proto__,,multi_user_mode,onboarding_complete,logo",
      ),
    ).toEqual({
      custom_app_name: null,
      footer_data: "[]",
      support_email: null,
      meta_page_title: null,
      text_splitter_chunk_size: null,
      max_embed_chunk_size: 1000,
      feature_flags: { experimental_live_file_sync: false },
      default_agent_skills: [],
      memory_enabled: "false",
    });
    expect(await read("")).toEqual({});
  });

  it("are all listed without labels, as far as the caller may see them", async () => {
    await write({ text_splitter_chunk_size: 640, default_system_prompt: "x" });
    const all = (await request(listPreferences, {}, admin)).settings;
    expect(all).toMatchObject({
      custom_app_name: null,
      footer_data: "[]",
      text_splitter_chunk_size: "640",
      text_splitter_chunk_overlap: null,
      max_embed_chunk_size: 1000,
      agent_search_provider: null,
      default_agent_skills: [],
      feature_flags: { experimental_live_file_sync: false },
    });
    expect(all).not.toHaveProperty("default_system_prompt");
    expect(all).not.toHaveProperty("logo");
    expect(Object.keys((await request(listPreferences, {}, manager)).settings).sort()).toEqual([
      "custom_app_name",
      "footer_data",
      "meta_page_favicon",
      "meta_page_title",
      "support_email",
    ]);
  });

  it("are set one by one, ignoring unknown, read-only and refused ones", async () => {
    const outcome = await write({
      custom_app_name: "  Lab \u0007notes ",
      footer_data: JSON.stringify([
        { icon: "Book", url: "https://a.example/x" },
        { icon: "Bad", url: "javascript:alert(1)" },
      ]),
      support_email: "help@a.example",
      meta_page_title: "Lab",
      meta_page_favicon: "no address",
      text_splitter_chunk_size: "0",
      text_splitter_chunk_overlap: -4,
      default_agent_skills: "web-browsing,create-chart",
      agent_search_provider: "nobody",
      memory_auto_extraction: false,
      experimental_live_file_sync: "enabled",
      multi_user_mode: true,
      onboarding_complete: true,
      max_embed_chunk_size: 7,
      logo_filename: "../../etc/passwd",
      telemetry_id: "x",
      unknown_label: "x",
      logo: "pictures/a",
      welcome_messages: [],
    });
    expect(outcome).toEqual({ success: true, error: null });
    expect(
      await read(
        "custom_app_name,footer_data,support_email,meta_page_title,meta_page_favicon,text_splitter_chunk_size,text_splitter_chunk_overlap,default_agent_skills,agent_search_provider,memory_auto_extraction,feature_flags,max_embed_chunk_size",
      ),
    ).toEqual({
      custom_app_name: "Lab notes",
      footer_data: '[{"icon":"Book","url":"https://a.example/x"}]',
      support_email: "help@a.example",
      meta_page_title: "Lab",
      meta_page_favicon: null,
      text_splitter_chunk_size: "1000",
      text_splitter_chunk_overlap: "20",
      default_agent_skills: ["web-browsing", "create-chart"],
      agent_search_provider: null,
      memory_auto_extraction: "false",
      feature_flags: { experimental_live_file_sync: true },
      max_embed_chunk_size: 1000,
    });
    const kept = (
      await carrel.sql.query<{ label: string }[]>(
        "SELECT label FROM workspace.preference ORDER BY label",
      )
    ).map(({ label }) => label);
    expect(kept).toEqual([
      "custom_app_name",
      "default_agent_skills",
      "experimental_live_file_sync",
      "footer_data",
      "memory_auto_extraction",
      "meta_page_title",
      "support_email",
      "text_splitter_chunk_overlap",
      "text_splitter_chunk_size",
    ]);
    expect((await request(getOnboarding, {}, anyone)).onboardingComplete).toBe(false);
    await write({ custom_app_name: null, footer_data: "no json", support_email: { a: 1 } });
    expect(await read("custom_app_name,footer_data,support_email")).toEqual({
      custom_app_name: null,
      footer_data: "[]",
      support_email: "help@a.example",
    });
  });

  it.each<[string, Scope]>([
    ["a manager", manager],
    ["the extension of a manager", scopeOf(person(2, "manager", "extension"))],
  ])("%s sees and sets five labels", async (_name, scope) => {
    const everything = {
      custom_app_name: "A",
      footer_data: "[]",
      support_email: "b",
      meta_page_title: "C",
      meta_page_favicon: "https://d.example/",
      text_splitter_chunk_size: 10,
      memory_enabled: true,
      default_system_prompt: "x",
    };
    expect(await write(everything, scope)).toEqual({ success: true, error: null });
    const labels = Object.keys(everything).join(",");
    expect(await read(labels, scope)).toEqual({
      custom_app_name: "A",
      footer_data: "[]",
      support_email: "b",
      meta_page_title: "C",
      meta_page_favicon: "https://d.example/",
    });
    expect(await read(labels)).toMatchObject({
      custom_app_name: "A",
      text_splitter_chunk_size: null,
      memory_enabled: "false",
    });
  });

  it.each<[string, Principal]>([
    ["role default", person(3)],
    ["nobody", publicPrincipal],
    ["somebody without a role", { kind: "user", userId: 3, role: "none" }],
  ])("%s sees and sets none", async (_name, principal) => {
    await write({ custom_app_name: "Evil" }, scopeOf(principal));
    expect(await read("custom_app_name", scopeOf(principal))).toEqual({});
    expect(await read("custom_app_name")).toEqual({ custom_app_name: null });
    await expect(request(setLogo, { key: "pictures/a" }, scopeOf(principal))).rejects.toMatchObject(
      { kind: "FORBIDDEN" },
    );
    await expect(
      request(setWelcomeMessages, { messages: [{ user: "a" }] }, scopeOf(principal)),
    ).rejects.toMatchObject({ kind: "FORBIDDEN" });
  });

  it("for text splitting reach ingest with the settings", async () => {
    expect((await request(resolveSettings, {}, service)).values).not.toHaveProperty(
      "text_splitter_chunk_size",
    );
    await write({ text_splitter_chunk_size: 640, text_splitter_chunk_overlap: 0 });
    expect((await request(resolveSettings, {}, service)).values).toMatchObject({
      text_splitter_chunk_size: "640",
      text_splitter_chunk_overlap: "0",
    });
  });

  it.each<[string, Scope]>([
    ["the instance", instance],
    ["an API key", scopeOf(apiKey)],
    ["an admin", admin],
  ])("%s can set all of them", async (_name, scope) => {
    await write({ custom_app_name: "Mine", text_splitter_chunk_size: 700 }, scope);
    expect(await read("custom_app_name,text_splitter_chunk_size", scope)).toEqual({
      custom_app_name: "Mine",
      text_splitter_chunk_size: "700",
    });
  });

  it("log labels but never values, and only what changed", async () => {
    await write({ custom_app_name: "Top secret name", support_email: "x@y.example" });
    await write({ custom_app_name: "Top secret name", support_email: "z@y.example" });
    await request(
      updateSettings,
      { values: { LLMProvider: "openai", OpenAiKey: "sk-hidden" } },
      admin,
    );
    const { logs } = await request(listEvents, { limit: 4 }, admin);
    // wire-contract 2.2: "Emits events update_llm_provider, update_embedding_engine, …".
    const [chosen] = logs.splice(1, 1);
    expect(chosen).toMatchObject({ event: "update_llm_provider", userId: 1 });
    expect(JSON.parse(chosen!.metadata!)).toMatchObject({ provider: "openai" });
    expect(
      logs.map(({ event, metadata, userId }) => ({
        event,
        userId,
        keys: (JSON.parse(metadata!) as { keys: string[] }).keys,
      })),
    ).toEqual([
      { event: "setting_changed", userId: 1, keys: ["LLMProvider", "OpenAiKey"] },
      { event: "setting_changed", userId: 1, keys: ["support_email"] },
      { event: "setting_changed", userId: 1, keys: ["custom_app_name", "support_email"] },
    ]);
    for (const secret of ["sk-hidden", "Top secret", "y.example"])
      expect(JSON.stringify(logs)).not.toContain(secret);
  });
});
